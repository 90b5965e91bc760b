/** Texts for writers on their pages, and on their site's config. */
export const en = {
  problems: {
    misspelt_admonition: (place: string, name: string, meant: string) =>
      `${place} says :::${name}; is :::${meant} meant?`,
    shared_heading_id: (file: string, number: number, id: string, first: number) =>
      `${file}:${number} has a heading with the id "${id}", as line ${first} has: change one of them.`,
    open_block: (file: string, number: number, text: string) =>
      `${file}:${number} opens ${text}, which nothing closes: end it with a line of ":::" alone.`,
    stray_end: (file: string, number: number) =>
      `${file}:${number} closes a block that nothing opened. A block around others needs more colons, as in ::::note.`,
    broken_markdown_link: (place: string, url: string) =>
      `${place} links to ${url}, which is not there: check the name of the file and its folder.`,
  },
  /** Of a site whose editions are built. */
  editions: {
    outside_site: (folder: string) =>
      `A site with editions has its documents below its own folder: ${folder} is outside of it, where pages cannot be told apart.`,
    audience_mismatch: (page: string, audience: string) =>
      `${page} says that it is for ${audience} alone, and an edition for others would hold it: sekisho reads the audience of a page from YAML front matter in the site's own folder.`,
  },
  search: {
    left_out: (total: number, unlisted: number, byField: number, ofKind: number) =>
      `Left out of the search: ${total} pages (unlisted ${unlisted}, search: false ${byField}, the option searched ${ofKind})`,
    without_vectors: (pages: number, problem: string) =>
      `The search finds ${pages} pages by their words alone: the endpoint of search.embeddings gave them no vectors (${problem}). The next build asks again.`,
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
    tools: (known: string) => `tools must hold ${known}, each true or false`,
    light_pages: (known: string) => `lightPages must be a list of ${known}`,
    code_languages: 'codeLanguages must be "listed" or "all"',
    bundle_together: 'bundleTogetherBelow must be a number of pages, 0 or more',
    search: (problem: string) => `search: ${problem}`,
    openapi_file: 'file must name an OpenAPI definition, relative to the site',
    openapi_id: 'id must begin with "openapi"',
  },
}
