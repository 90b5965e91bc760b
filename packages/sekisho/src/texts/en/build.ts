export const build = {
  edition_markdown_files: (name: string, pages: number) => `Edition ${name} (${pages} Markdown files)`,
  site_build_failed: (outcome: string) =>
    `the site could not be built (${outcome}); the messages above say why. What is being served has not changed.`,
  building_site: (indent: string, name: string) => `${indent}Building the site ${name}`.trimEnd(),
  built_site: (indent: string, _name: string) => `${indent}The files of the site are there`,
  building_locales: (indent: string, _name: string) => `${indent}The site is built in these languages`,
  starting_site: (indent: string, _name: string) => `${indent}Reading the site`,
  site_is_shown: (indent: string, address: string) => `${indent}The site is shown at ${address}`,
  site_is_current: (indent: string, _name: string) => `${indent}What was saved is shown`,
  grantable:
    'The content security policy blocks this for readers; copy the files into the site, or ask the operator to allow it:',
  never: 'The content security policy blocks this for readers, and no setting allows it; remove it:',
  lost: 'These redirects lead to no page or file of the site, so they do nothing:',
  unnamed_html: (paths: readonly string[], others: number) =>
    `These files hold HTML, but their names do not say so: readers can only save them. Rename them to end in .html, and the links to them:\n${paths.map((path) => `  ${path}`).join('\n')}${others > 0 ? `\n  and ${others} more` : ''}`,
  measures: 'This tracks readers, so no setting is proposed for it; remove it from the config or the pages:',
  proposal:
    'To allow all of it, including what it and the plugins are known to load in turn, put this line into sekisho.env (sekisho check shows the cost of each entry):',
  seen: 'Pages and style sheets were examined; requests of running scripts are not included (see sekisho check --browser).',
  in: (from: string, to: string, source: string) => `  ${from} → ${to} in ${source}`,
  more_redirects: (others: number) => `  and ${others} more`,
  more_pages: (others: number) => ` and ${others} more`,
  on: (what: string, named: string, more: string) => `  ${what} on ${named}${more}`,
  build_help: (dataDir: string) => `Usage: sekisho build [--site DIR] [--data-dir DIR] [--force] [--watch]

Builds the site, packs the result into a release and publishes it: in the data folder, or where SEKISHO_RELEASES
says (a bucket, a shared folder). Running gates serve it within two seconds.
When nothing has changed since the last build, nothing is built and the pointer stays where it is.

  --site DIR      the Docusaurus site (default: the one this folder belongs to, or the only one below it)
${dataDir}
  --force         build and publish even if nothing has changed
  --watch         build and publish again after each edit, until stopped; start it again after installing packages
  --help          show this text`,
  edition_changes: (
    name: string,
    { gained, lost }: { readonly gained: readonly string[]; readonly lost: readonly string[] },
    [more, less]: readonly [number, number],
  ) =>
    `  edition ${name}: ${more} pages more, ${less} less${[...gained.map((path) => `\n    + ${path}`), ...lost.map((path) => `\n    - ${path}`)].join('')}`,
  edition_widened: (name: string, paths: readonly string[]) =>
    `⚠ edition ${name} shows pages that were restricted until now: ${paths.join(', ')}`,
  packing_release: 'Packing the release',
  watching: (dir: string) => `Waiting for edits below ${dir}`,
  publishing_to: (place: string) => `Publishing in ${place}`,
  files_new: (sent: number) => `  ${sent} new files`,
  published_concurrently: (id: string, place: string) =>
    `another release was published in the meantime. Release ${id} is in ${place}, but not served; to serve it: sekisho releases rollback ${id}`,
  build_unchanged: (releaseId: string, files: number) =>
    `Nothing has changed: release ${releaseId} (${files} files) is up to date.`,
  served_after_rollback: (id: string, releaseId: string) =>
    `Release ${id} is served because of a rollback. To serve the newest: sekisho releases rollback ${releaseId}`,
  files: (done: number, total: number) => `  ${done} of ${total} files`,
  release_unchanged: (id: string) => `Release ${id} has the same content and is served again.`,
  release_published: (id: string) => `Release ${id} is published.`,
  pages_files_mb: (pages: number, files: number, megabytes: string) =>
    `  ${pages} pages, ${files} files, ${megabytes} MB`,
  built_in_s: (built: string, packed: string, compressed: number) =>
    `  built in ${built} s, packed in ${packed} s (${compressed} newly compressed)`,
  broken_link: (place: string, target: string) =>
    `${place} links to ${target}, which does not exist: fix the link, or add that page.`,
  broken_anchor: (place: string, target: string) =>
    `${place} links to ${target}, a page without that heading: fix the link, or the id of the heading.`,
  with_history: (broken: string, became: string) => `${broken} ${became}`,
  duplicate_route: (route: string, files: readonly string[]) =>
    `More than one page would be ${route}${files.length > 1 ? ` (${files.join(', ')})` : ''}: change a slug in the front matter, or the name of a file.`,
  duplicate_id: (filesCount: number, id: string, files: readonly string[]) =>
    `${filesCount} pages have the id "${id}" (${files.join(', ')}): change an id in the front matter, or the name of a file.`,
  wrong_front_matter: (file: string, reason: string) => `${file}: fix the front matter.\n  - ${reason}`,
  front_matter_yaml: (place: string, reason: string) =>
    `${place}: the front matter is not valid YAML (${reason}). Put values with a colon or # into quotation marks, and end the front matter with a line ---.`,
  sidebar_ids: (file: string, ids: string, known: string) =>
    `${file}: no document has the id ${ids}. Known ids: ${known}`,
  category_file: (file: string, reason: string, _none: string) => `${file} cannot be read: ${reason}`,
  sidebar_file: (file: string, reason: string, _none: string) => `${file} is not right: ${reason}`,
  no_yaml: (file: string, reason: string, _none: string) =>
    `${file} is not valid YAML (${reason}): check indentation and quotation marks.`,
  unknown_author: (file: string, key: string, known: string) =>
    `${file}: there is no author "${key}". Known authors: ${known}. Add it to authors.yml, or correct the name.`,
  author_entry: (key: string, _second: string, _third: string) =>
    `The author "${key}" in authors.yml has no name: write name or image_url.`,
  inline_author: (file: string, map: string, _none: string) =>
    `${file}: its author is not in ${map}. Add the author there, and write the key here.`,
  unknown_tags: (tags: string, file: string, map: string) =>
    `${file}: the tags ${tags} are not in ${map}. Add them there, or correct the names.`,
  config_fields: (names: string, file: string, _none: string) =>
    `${file} has fields that Docusaurus does not know: ${names}. Check their names; fields of your own belong in customFields.`,
  config_value: (reason: string, _second: string, _third: string) =>
    `A field of docusaurus.config is not right: ${reason}`,
  config_syntax: (_file: string, reason: string, place: string) =>
    `${place} cannot be read: ${reason}. A comma or bracket may be missing in the line before.`,
  plugin_option: (reason: string, _second: string, _third: string) =>
    `An option of a plugin, theme or preset in docusaurus.config is not right: ${reason}`,
  no_plugin: (name: string, _second: string, _third: string) =>
    `"${name}" is not installed: check its name in docusaurus.config, or install it by npm install ${name}`,
  sidebar_path: (file: string, _second: string, _third: string) =>
    `There is no ${file}, which sidebarPath in docusaurus.config names: check its name and folder.`,
  navbar_sidebar: (id: string, known: string, _none: string) =>
    `An item of the navbar names the sidebar "${id}", which does not exist. Known sidebars: ${known}`,
  navbar_type: (type: string, _second: string, _third: string) =>
    `"${type}" is not a type of navbar item: check themeConfig.navbar.items in docusaurus.config.`,
  must_be: (name: string, type: string) =>
    type === 'object'
      ? 'write lines of the form "key: value", with a space after an ASCII colon.'
      : `${name} must be ${{ number: 'a number', 'valid date': 'a day such as 2026-01-31', boolean: 'true or false', array: 'a list ([a, b])' }[type] ?? 'a text'}.`,
  must_be_one_of: (name: string, values: string) => `${name} must be one of ${values}.`,
  no_url: (url: string, _wanted: string) => `write "${url}" as a URL such as https://docs.example.com.`,
  url_with_path: (path: string, _wanted: string) => `url takes no path: write ${path}/ into baseUrl.`,
  not_allowed: (name: string, _wanted: string) => `there is no ${name}: check its spelling.`,
  is_required: (name: string, _wanted: string) => `${name} is missing: add it.`,
  impossible_day: (place: string, day: string) =>
    `${place}: no calendar has the day ${day}. Rename the file.`,
  unused_directive: (place: string, name: string) =>
    `${place}: there is no ${name}, which is shown as it is written. Check the name, or write \\ before the colon.`,
  no_module: (place: string, name: string) =>
    `${place}: ${name} cannot be found. Check the path in the import, or install the package.`,
  unknown_component: (place: string, name: string) =>
    `${place}: there is no component <${name}>. Import it, correct its name, or write \\<${name}> for a text.`,
  tabs_child: (place: string, _name: string) =>
    `${place}: only <TabItem> may stand in <Tabs>. Put the text in <TabItem value="…" label="…"> … </TabItem>.`,
  undefined_name: (place: string, name: string) =>
    `${place}: "${name}" in { } is not defined. Define or import it; for a text, write \\{ instead.`,
  style_text: (place: string, _name: string) =>
    `${place}: style takes an object, not a text. Write style={{ color: 'red' }}.`,
  page_failed: (place: string, reason: string) =>
    `${place}: the page cannot be rendered (${reason}). Check its imports, components and what is in { }.`,
  not_installed: (dir: string) =>
    `Docusaurus is not installed in ${dir}: install the site's packages first (npm, pnpm, or Yarn with the node-modules linker)`,
  build_running: (pid: number) => `another sekisho build is running here (process ${pid})`,
  build_begun: 'another sekisho build has just begun here',
}

export const editions = {
  in_file: (file: string, problem: string) => `${file}: ${problem}`,
  name_form: 'up to 40 lower-case letters, digits and hyphens',
  label_form: 'up to 40 characters',
  same_name: (name: string) => `two editions are named ${name}`,
  no_last: 'the last edition must have no audiences ("audiences": []): it is for all admitted readers',
  edition_unreachable: (name: string, earlier: string) =>
    `no reader ever receives edition ${name}: its readers receive ${earlier} instead, so put it before that one`,
  unknown_audience: (where: string, audience: string) => `${where}: no edition has the audience ${audience}`,
  unknown_in_page: (place: string, audience: string, known: readonly string[]) =>
    `${place}: no edition has the audience ${audience}; there are ${known.join(', ')}`,
  front_matter_language: (place: string, language: string) =>
    `${place}: write the front matter in YAML; an audience in "${language}" is not recognised`,
  like_audience: (place: string, key: string) =>
    `${place}: "${key}" restricts nothing; to restrict the page, write "audience: NAME" in the front matter, not below another key`,
  like_audience_meta: (place: string, key: string) =>
    `${place}: "${key}" restricts nothing; write <meta name="audience" content="NAME">`,
  audience_twice: (place: string) => `${place}: the audience is given twice`,
  front_matter_not_first: (place: string) =>
    `${place}: this block is not read as front matter, which begins with "---" in the first line`,
  front_matter_unclosed: (place: string) =>
    `${place}: the front matter has no end: close it with a line "---"`,
  front_matter_unread: (place: string) =>
    `${place}: the front matter cannot be read as YAML, so the audience of the page is unknown`,
  audience_repeated: (name: string, where: readonly string[]) =>
    `${name}: its audience is given more than once: ${where.join(', ')}`,
  unused_glob: (rule: string) => `${rule}: no file matches, so the rule does nothing`,
  unclear_translation: (name: string, originals: readonly string[]) =>
    `${name}:1: set its audience here; it may be a translation of ${originals.join(' or ')}, whose audiences differ`,
  names_narrower: (place: string, name: string, audiences: readonly string[], edition: string) =>
    `${place}: names ${name}, which only ${audiences.join(' and ')} may read; edition ${edition} holds this file without it`,
  unread_file: (name: string, audience: string, edition: string) =>
    `${name}: cannot be read while packing (its format, or over 128 MB), so it may hold pages that only ${audience} may read, and edition ${edition} holds it; name it in "paths", or in "shared" where all may read it`,
  category_moves: (label: string, names: readonly string[]) =>
    `${names.join(', ')}: these folders are all called “${label}”, and not every edition has all of them, so the numbers in their addresses would differ: give their link a "slug"`,
  two_globs: (name: string, globs: readonly string[]) =>
    `${name} matches several rules; keep one: ${globs.join(', ')}`,
  described_by_hand: (file: string) =>
    `${file} was written by hand and lists all pages: remove it, so that each edition gets its own`,
  rules_in_published_folder: (file: string) =>
    `${file} lies in the folder that readers get: move it to the one that the command is run in`,
}
