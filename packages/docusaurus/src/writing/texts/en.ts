/** Texts for writers on their pages, and on their site's config. */
export const en = {
  problems: {
    misspelt_admonition: (place: string, name: string, meant: string) =>
      `${place} says :::${name}; is :::${meant} meant?`,
    not_utf8: (place: string) => `${place} holds bytes that are not UTF-8: save the file again in UTF-8.`,
    address: (file: string, address: string) =>
      `${file}: its address ${address} has a character, such as %, that servers read differently. Rename the file without + & = @ , : $ ; # ? %`,
    shared_heading_id: (file: string, number: number, id: string, first: number) =>
      `${file}:${number} has a heading with the id "${id}", as line ${first} has: change one of them.`,
    late_front_matter: (file: string) =>
      `${file}: front matter begins with --- in line 1 and ends with ---. Now it is shown as text.`,
    shown_as_typed: (place: string, text: string) =>
      `${place}: "${text}" is no markup and is shown as typed. Use ASCII signs, and check the spaces (around bold text too).`,
    own_computer: (place: string, address: string) =>
      `${place} links to ${address}, which is on your computer alone: use a relative path or a URL.`,
    open_block: (file: string, number: number, text: string) =>
      `${file}:${number} opens ${text}, which nothing closes: end it with a line of ":::" alone.`,
    open_fence: (file: string, number: number, fence: string) =>
      `${file}:${number} opens a code block that nothing closes: end it with a line of ${fence} alone.`,
    heavy_image: (place: string, image: string, megabytes: string) =>
      `${place}: the picture ${image} has ${megabytes} MB, which every reader of the page loads. Make it smaller than 5 MB.`,
    broken_formula: (place: string, reason: string) => `${place}: KaTeX cannot read this formula. ${reason}`,
    broken_diagram: (place: string, reason: string) =>
      `${place}: Mermaid cannot draw this diagram. ${reason}`,
    diagram_unshown: 'This diagram cannot be shown. This is its source:',
    formula_unshown: 'This formula cannot be shown:',
    stray_end: (file: string, number: number) =>
      `${file}:${number} closes a block that nothing opened. A block around others needs more colons, as in ::::note.`,
    translations_shallow: (pages: number) =>
      `${pages} translated pages were not compared with their originals: this clone has only the newest commits. Fetch all of them (fetch-depth: 0 in GitHub Actions, GIT_DEPTH: 0 in GitLab).`,
    translations_no_history: (pages: number) =>
      `${pages} translated pages were not compared with their originals: Git gave no history, or more than 64 MB of it.`,
    page_moved: (to: string, day: string) => `It was moved on ${day} and is now ${to}.`,
    page_removed: (day: string) => `It was removed on ${day}.`,
    heading_renamed: (to: string, day: string) => `The heading was changed on ${day} and is now ${to}.`,
    heading_removed: (day: string) => `The heading was removed on ${day}.`,
    broken_markdown_link: (place: string, url: string) =>
      `${place} links to ${url}, which is not there: check the name of the file and its folder.`,
  },
  /** Of a page that cannot be compiled; `of` is what the parser names. */
  mdx: {
    unread: (place: string, advice: string, reason: string) =>
      `${place} cannot be read. ${advice}\n  (${reason})`,
    unread_otherwise: (place: string, reason: string) => `${place} cannot be read: ${reason}`,
    void_tag: (of: string) => `In .mdx write \`<${of}>\` as \`<${of} />\`.`,
    no_image: (of: string) =>
      `There is no picture ${of}: put it beside the page or in the folder static, and check capital letters in its name.`,
    open_tag: (of: string) =>
      `\`<${of}>\` is not closed: add \`</${of}>\`, or write \`<${of} />\` where it holds nothing.`,
    stray_end_tag: (_of: string) => 'A closing tag has no opening tag: add that, or remove this.',
    comment: (_of: string) =>
      '`<!-- -->` is not known in .mdx: write `{/* comment */}`, or name the file .md.',
    autolink: (_of: string) =>
      '`<https://…>` is not known in .mdx: write `[text](https://…)`, or name the file .md.',
    less_than: (_of: string) =>
      '`<` was read as the beginning of a tag: in text write `\\<` or `&lt;`, or put it between `` ` ``.',
    lazy_line: (_of: string) =>
      '`{ }` is cut off by a line: in quotations and lists the lines that follow need the same depth.',
    expression: (_of: string) =>
      'The text between `{ }`, or an import, is not valid JavaScript: in text write `\\{`, or put it between `` ` ``.',
    md_instead: ' In a file named .md it may stay as it is.',
    heading_id: ' The id of a heading is written `{/* #id */}` here.',
  },
  frontMatter: {
    not_right: (place: string) => `${place}: correct the front matter.`,
    missing: (name: string, want: string) =>
      `${name} is missing. Write it between the lines "---" at the top: ${want}`,
    wrong: (line: number, name: string, want: string) => `${name} in line ${line} must be ${want}.`,
    misspelt: (line: number, name: string, meant: string) => `${name} in line ${line}: is ${meant} meant?`,
    misspelt_in: (place: string, name: string, meant: string) => `${place} says ${name}: is ${meant} meant?`,
    audience_unused: (file: string, pages: number) =>
      `${file} names an audience (pages that do: ${pages}), which restricts nothing: the site has no sekisho.editions.json.`,
    no_yaml: (reason: string) =>
      `It is not valid YAML (${reason}). Put a value with ": " or "#" between single quotes.`,
    title: 'a text (title: Using the search)',
    description: 'a text (description: How to open the search.)',
    sidebar_label: 'a text',
    slug: 'a text (slug: /guide)',
    sidebar_position: 'a number (sidebar_position: 2)',
    keywords: 'a list of one or more texts (keywords: [search, filter])',
    tags: 'a list (tags: [search])',
    flag: 'true or false',
  },
  openapi: {
    not_right: 'Correct the OpenAPI definition.',
    explained: (advice: string, message: string) => `${advice} (${message})`,
    missing_field: (of: string) => `${of} is missing: add it.`,
    unexpected: (of: string) => `${of} is not allowed here: check its spelling and its indentation.`,
    one_of: (of: string, known: string) => `${of} must be one of ${known}.`,
    other_type: (of: string, found: string) => `There is ${found} where ${of} belongs.`,
    no_ref: 'What $ref names is not there: check its name and place.',
    path_parameter: (of: string) => `Write the path parameter ${of} under parameters.`,
    unused_parameter: (of: string) =>
      `The path parameter ${of} is not in the path: write it there, or remove it from parameters.`,
    same_operation_id: 'Another operation has the same operationId: give it another one.',
    swagger: (file: string, version: string) =>
      `${file}: a definition of Swagger ${version} cannot be read. Convert it to OpenAPI 3.0 or newer (npx swagger2openapi).`,
    no_library:
      'The library that reads OpenAPI definitions is missing. Run npm install --save-dev @redocly/openapi-core openapi-sampler in the folder of the site.',
    no_file: (file: string) =>
      `There is no ${file}: the option file names the OpenAPI definition, seen from the folder of the site.`,
    no_yaml: (file: string, line: number, message: string) =>
      `${file}:${line}: it is no YAML and no JSON. Check indentation and quotation marks. (${message})`,
    no_openapi: (file: string, message: string) =>
      `${file}: it is no OpenAPI definition, which begins with a version such as openapi: 3.1.0. (${message})`,
  },
  /** Of a site whose editions are built. */
  editions: {
    outside_site: (folder: string) =>
      `A site with editions has its documents below its own folder: ${folder} is outside of it, where pages cannot be assigned to editions.`,
    audience_mismatch: (page: string, audience: string) =>
      `${page} says that it is for ${audience} alone, and an edition for others would hold it: sekisho reads the audience of a page from YAML front matter in the site's own folder.`,
  },
  search: {
    related: 'Related pages',
    left_out: (total: number, unlisted: number, byField: number, ofKind: number) =>
      `Left out of the search: ${total} pages (unlisted ${unlisted}, search: false ${byField}, the option searched ${ofKind})`,
    without_vectors: (pages: number, problem: string) =>
      `The search finds ${pages} pages by words only: the endpoint of search.embeddings gave them no vectors (${problem}). The next build asks again.`,
  },
  /** Errors of the plugin's options in a site's config. */
  options: {
    searched: 'searched takes docs, blog and pages alone, each true or false',
    not_right: 'The options of sekisho/docusaurus are not right.',
    openapi_not_right: 'The options of sekisho/openapi are not right.',
    unknown_key: (key: string, known: string) => `"${key}" is unknown; known are ${known}`,
    id: 'id must be a text',
    redirects_list: 'redirects must be a list of { from, to }',
    redirect: (at: number) => `redirects[${at}] must be { from, to } and nothing else`,
    redirect_paths: (at: number) =>
      `redirects[${at}]: from and to must be paths of this site such as "/docs", without query or hash`,
    redirect_circle: (at: number) => `redirects[${at}] leads to itself`,
    color_mode: 'initialColorMode must be "light", "dark" or "system"',
    recent_changes: (most: number) => `recentChanges must be a whole number from 0 to ${most}`,
    related_pages: 'relatedPages must be true or false',
    tools: (known: string) => `tools must hold ${known}, each true or false`,
    light_pages: (known: string) => `lightPages must be a list of ${known}`,
    code_languages: 'codeLanguages must be "listed" or "all"',
    code_owners: 'codeOwners must be "metadata" or "all"',
    bundle_together: 'bundleTogetherBelow must be a number of pages, 0 or more',
    search: (problem: string) => `search: ${problem}`,
    openapi_file: 'file must name an OpenAPI definition, relative to the site',
    openapi_id: 'id must begin with "openapi"',
  },
}
