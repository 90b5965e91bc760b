export const site = {
  pack_help: (
    dataDir: string,
  ) => `Usage: sekisho pack DIR [--title TITLE] [--lang TAG] [--base PATH] [--bar] [--data-dir DIR]

Makes a release of any folder of HTML and publishes it: what MkDocs, VitePress, Starlight or TypeDoc built, or plain files.
A search index is made from the pages. Where DIR has no __sekisho/site.json, it is written, and a 404.html; existing ones that you wrote or changed are kept.
A folder for each language (ja/, en/) gets a search index of its own.
Words and synonyms are read from sekisho.search.json in the current folder (see sekisho synonyms).

  --title TITLE   the site's name (default: what the titles of most pages end or begin with)
  --lang TAG      its language (default: what index.html says, else ja)
  --base PATH     the path below which the pages expect to be served, as in /docs/ (default: /)
  --bar           put the search and account buttons (bar.js) into each page of the release
${dataDir}
  --help          show this text`,
  no_folder: 'Name the folder',
  wrong_base: '--base must begin and end with a slash',
  undecodable: (name: string) =>
    `${name} contains bytes that are invalid in its declared encoding, or in any known encoding; save it in UTF-8`,
  excluded: (pages: number) =>
    `Left out of the search: ${pages} pages, by <meta name="sekisho-search" content="exclude">.`,
  no_title: 'The name of the site is unknown, so the login page shows Sekisho: set it with --title.',
  no_bar:
    'No page has the search and account buttons of the gate: sekisho pack --bar puts them in (/__gate/search-page works without).',
  dead_search:
    'The site’s own search asks a search service elsewhere, which the content policy of the gate refuses: it finds nothing.',
  unnamed_files: (files: readonly string[], rules: string) =>
    `${files.length} files that no page references are only in the edition that contains everything; a "shared" rule in ${rules} adds them to all:\n${files.map((file) => `  ${file}`).join('\n')}`,
  separate_search_indexes: (languages: readonly string[]) =>
    `Search indexes of their own: ${languages.join(', ')}`,
  not_embedded: (pages: number, problem: string) =>
    `The search finds ${pages} pages by words only: the endpoint of "embeddings" gave them no vectors (${problem}). The next run asks again.`,
  ready: 'The search is ready.',
  dev_help: `Usage: sekisho dev [--site DIR] [--edition NAME] [--locale NAME]

Runs Docusaurus with hot reload for writers: on loopback, without the gate. The search follows
what is saved, and problems are shown over the page. PORT sets another port than 3000.
On a site with editions a box on the page says which of them hold it, and shows the site as one of them.

  --site DIR      the Docusaurus site (default: the one this folder belongs to, or the only one below it)
  --edition NAME  the edition to show first (default: all pages)
  --locale NAME   the language of the site to show (default: its default one)
  --help          show this text`,
  no_edition: (name: string) => `the site has no edition ${name}`,
  textlint_missing: (siteDir: string) =>
    `textlint is not installed in ${siteDir}: run npm i -D textlint textlint-rule-preset-ja-technical-writing`,
  prose_remarks: (warnings: number, filesCount: number) =>
    `${warnings} remarks on the prose of ${filesCount} pages.`,
  new_page_help: `Usage: sekisho new FOLDER NAME TITLE [--site DIR]

Creates a page with the front matter it needs. It appears in the sidebar automatically.

  FOLDER      a folder of the site: docs, knowledge, blog
  NAME        the file's name: lower-case letters, digits, hyphens, and "/" for folders (as in github/release-rule)
  TITLE       the page's title

  --site DIR  the Docusaurus site (default: the one this folder belongs to, or the only one below it)
  --help      show this text

Example: sekisho new docs github/release-rule "Release rules"`,
  made: (path: string) => `Created ${path}.`,
  folder_not_found: (site: string, folder: string) =>
    `${site} has no folder ${folder}; use one such as docs, knowledge or blog`,
  no_name_for: (name: string) =>
    `${name} is not a valid page name: use lower-case letters, digits and hyphens, as in github/release-rule`,
  page_exists: (file: string) => `${file} exists already; choose another name`,
  synonyms_help: (vocabularyFile: string) => `Usage: sekisho synonyms
       sekisho synonyms WORD WORD... [--site DIR]

Registers synonyms for the search: they are written as one group into ${vocabularyFile} beside the site's config, and join
a group that has one of them already. Without words it lists the groups. sekisho search-report proposes some. Takes effect with the next build.

  --site DIR      the site's folder; for a folder that is published with sekisho pack, the one where that is run
                  (default: the Docusaurus site around here)
  --help          show this text`,
  one_word: 'give two words or more',
  synonyms_empty: 'There are no synonyms yet.',
  synonyms_unchanged: 'They are synonyms already.',
  synonyms_added: (words: readonly string[], file: string) =>
    `${words.join(', ')} are synonyms now, in ${file}. This takes effect with the next build.`,
  not_a_folder: (dir: string) => `${dir} is not a folder`,
}

export const agents = {
  agents_md_help: (
    dataDir: string,
  ) => `Usage: sekisho agents-md [--origin URL] [--below PATH] [--data-dir DIR]

Prints a short index (8 KB at most) for the AGENTS.md of code repositories: what is here, when to ask, and the line that connects an agent.
It names pages of the edition that everybody reads, and no others.

  --origin URL    the portal's address (default: SEKISHO_ORIGIN)
  --below PATH    only what is below this path, as in /docs/payments/
${dataDir}
  --help          show this text`,
  covers_help: `Usage: sekisho covers --changed BASE..HEAD --token-file FILE [--origin URL]

Run in a code repository: prints Markdown for a comment on a pull request that names the pages whose front matter \`covers\`
matches a changed file. Prints nothing when there are none. The portal names only pages that the token may read.

  --changed RANGE     commits as git diff takes them; BASE...HEAD compares with the commit where HEAD left BASE
  --token-file FILE   a file with a personal token of the account page
  --origin URL        the portal's address (default: SEKISHO_ORIGIN)
  --help              show this text`,
  covers_title: 'These pages describe changed files. Do they still hold?',
  covers_owner: (owner: string) => ` (owner: ${owner})`,
  covers_files: (files: number) => ` and ${files} more`,
  covers_more: (pages: number) => `and ${pages} more pages`,
  covers_incomplete: (pages: number) => `The portal left out ${pages} pages: its answer would be too long`,
  covers_no_changes: (range: string) =>
    `git cannot compare ${range}. Are both commits here, as with fetch-depth: 0?`,
  covers_unreachable: (host: string, reason: string) => `${host} cannot be reached: ${reason}`,
  covers_refused: (host: string) =>
    `${host} does not accept the token: it has expired, was revoked, or is no personal token`,
  covers_status: (host: string, status: number) => `${host} answered ${status}`,
  no_origin: 'Name the portal with --origin or SEKISHO_ORIGIN, as in https://docs.example.co.jp',
  no_edition: 'No edition is unrestricted',
  nothing_below: (path: string) => `There is no page below ${path}; name another path with --below`,
}

/** Text of the index for agents, in the language of its site. */
export const agentsIndex = {
  when: (name: string) =>
    `Our procedures, rules, reasons of designs and ways of operating are written here. Before guessing, search the MCP server \`${name}\` for two or three words and fetch what it finds.`,
  connect: 'Where it is not connected',
  tools: 'list shows what there is. It reads what whoever signed in may read.',
  pages: 'Pages',
}
