export const command = {
  option_unknown: (option: string) => `Unknown option '${option}'`,
  value_missing: (option: string) =>
    `Option '${option}' needs a value; one that begins with a dash is written ${option}=-VALUE`,
  value_unexpected: (option: string) => `Option '${option}' takes no value`,
  argument_unexpected: (argument: string) => `Unexpected argument '${argument}'`,
  arguments_incomplete: 'Arguments or options are missing, or do not go together; the usage is below',
  demo_summary: 'look at a small portal out of a temporary folder',
  init_summary: 'add Sekisho to a Docusaurus site',
  start_summary: 'build the site and serve it on this machine',
  dev_summary: 'Docusaurus with hot reload, for writers',
  new_summary: 'create a page',
  build_summary: 'build the site and publish it as a release',
  pack_summary: 'publish any folder of HTML as a release',
  publish_summary: 'send the release to a running gate',
  follow_summary: 'build and publish a branch whenever it changes',
  tokens_summary: 'create or remove tokens for publishing',
  releases_summary: 'list kept releases, or roll back to one',
  previews_summary: 'list previews, or remove one',
  serve_summary: 'serve the release to signed-in readers',
  check_summary: 'find and explain problems with the settings',
  migrate_summary: 'create or update the database schema',
  backup_summary: 'back up all data of a gate while it runs',
  restore_summary: 'restore a backup, or check that it can be restored',
  agents_summary: 'list or revoke agent grants',
  sessions_summary: 'list or end sessions',
  access_summary: 'explain and review access',
  verify_summary: 'prove that nothing leaks without a session, or to another edition',
  synonyms_summary: 'register synonyms for the search',
  agents_md_summary: 'an index for the AGENTS.md of code repositories',
  covers_summary: 'pages that describe changed files of a code repository',
  search_report_summary: 'report searches without results',
  report_summary: 'report feedback on pages',
  probe_summary: 'check a running gate as a reader would, for monitoring systems',
  acknowledgements_summary: 'list and export who has acknowledged pages',
  notices_summary: 'send a test notice to the webhook and by mail',
  export_summary: 'export pages as evidence for an audit',
  audit_summary: 'verify, export and follow the audit trail',
  explain_summary: 'explain the error code at the end of a message',
  explain_help: `Usage: sekisho explain CODE...

Prints the sentence of each code, with its values in braces: what is wrong, and what to do. The code stands in brackets at the
end of a message, as in [gate.bad_origin]; the part before the dot may be left out. docs/errors.md in the repository lists all.

  --help          show this text`,
  explain_unknown: (code: string) => `unknown code ${code}; docs/errors.md in the repository lists all`,
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
    `sekisho ${name}: only the server is installed here. Run it where the site is built (another machine or CI), and send the release here with sekisho publish --to`,
  command_unknown: (quoted: string) => `sekisho: unknown command ${quoted}`,
  data_dir: (option: string, fallback: string) =>
    `  ${option}the data folder (default: SEKISHO_DATA_DIR, else ${fallback})`,
}
