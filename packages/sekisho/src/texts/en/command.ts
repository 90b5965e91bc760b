export const command = {
  message: (message: string) => message,
  demo_summary: 'look at a small portal out of a temporary folder',
  init_summary: 'put a Docusaurus site behind the gate',
  start_summary: 'build the site and serve it on this machine',
  dev_summary: 'Docusaurus with hot reload, for writers',
  new_summary: 'make a new page',
  build_summary: 'build the site and publish it as a release',
  pack_summary: 'publish any folder of HTML as a release',
  publish_summary: 'send the release to a running gate',
  follow_summary: 'build a branch whenever it moves, and publish it',
  tokens_summary: 'make or remove tokens to publish with',
  releases_summary: 'list the kept releases, or go back to one',
  previews_summary: 'list previews, or remove one',
  serve_summary: 'serve the release to signed-in readers',
  check_summary: 'say what is wrong with the settings',
  migrate_summary: 'make or update the schema of the database',
  backup_summary: 'copy everything a gate keeps, while it runs',
  restore_summary: 'put a backup back, or try whether it can be',
  agents_summary: 'list or end what agents are allowed',
  sessions_summary: 'list or end sessions',
  access_summary: 'say what somebody may read, and why',
  verify_summary: 'prove that a gate gives nothing away',
  synonyms_summary: 'teach the search words that mean the same',
  agents_md_summary: 'an index for the AGENTS.md of code repositories',
  covers_summary: 'pages that describe changed files of a code repository',
  search_report_summary: 'what readers looked for and did not find',
  report_summary: 'whether pages helped their readers',
  probe_summary: 'ask a running gate what a reader needs, for monitoring systems',
  acknowledgements_summary: 'list and export who has acknowledged pages',
  audit_summary: 'verify, export and follow the audit trail',
  explain_summary: 'say what the code at the end of a message means',
  explain_help: `Usage: sekisho explain CODE...

Prints the sentence of each code, with its values in braces: what is wrong, and what to do. The code stands in brackets at the
end of a message, as in [gate.bad_origin]; the part before the dot may be left out. docs/errors.md in the repository lists all.

  --help          show this text`,
  explain_unknown: (code: string) => `there is no code ${code}; docs/errors.md in the repository lists all`,
  usage_overview: (list: string) =>
    `Usage: sekisho COMMAND [options]\n\n${list}\n\nEach command has --help. --lang ja or --lang en chooses the language (default: LANG).`,
  ways_to_start: (
    version: string,
  ) => `Sekisho ${version}: documentation behind a sign-in. There is no Docusaurus site here; three ways to start:

  sekisho demo        look at a small portal now; nothing is kept
  sekisho init        in the folder of a Docusaurus site: adds one line to its config; then sekisho start
  sekisho pack DIR    any folder of HTML (VitePress, MkDocs, Storybook, …); then sekisho serve --local

sekisho --help lists every command.`,
  command_not_installed: (name: string) =>
    `sekisho ${name}: only what serves is installed here. Run it where the site is built, on another machine or in a CI, and send the release here with sekisho publish --to`,
  command_unknown: (quoted: string) => `sekisho: there is no command ${quoted}`,
  data_dir: (option: string, fallback: string) =>
    `  ${option}the data folder (default: SEKISHO_DATA_DIR, else ${fallback})`,
}
