/** Texts of `sekisho acknowledgements`. */
export const acknowledgements = {
  help: (dataDir: string) => `Usage: sekisho acknowledgements list [--people FILE]
       sekisho acknowledgements export --out DIR [--people FILE]
       sekisho acknowledgements reviews

list    per page that asks for acknowledgement: who has acknowledged its present version, who has yet to, what is overdue
export  the same as a CSV file and a printable page (Japanese), each with a signature that openssl verifies (VERIFY.md)
reviews  prints a patch for git apply that writes the owners' confirmations into the sources, as reviewed

Who is asked: the addresses that the access policy names, or those of --people. Only a list of people knows the members of
a whole domain and of a provider's groups.

  --people FILE   CSV with an address and, if it is not in the policy, its groups: a@example.co.jp,staff sre
  --out DIR       a new folder
${dataDir}
  --help          show this text`,
  source_not_found: (path: string, day: string) =>
    `No one source of ${path} was found. Write into its front matter: reviewed: ${day}`,
  none_asked: 'No page of the release asks for acknowledgement.',
  nobody_named: 'The policy lists no addresses: list the people with --people FILE.',
  owner: (owner: string) => `Owner: ${owner}`,
  due: (day: string) => `due ${day}`,
  overdue: (day: string) => `OVERDUE since ${day}`,
  counts: (done: number, missing: number) => `done ${done}, missing ${missing}`,
  exported: (folder: string, rows: number, fingerprint: string) =>
    `Wrote ${rows} rows to ${folder}. Fingerprint of the key: ${fingerprint}`,
  column_path: 'Page',
  column_title: 'Title',
  column_owner: 'Owner',
  column_version: 'Version',
  column_due: 'Due',
  column_email: 'Address',
  column_state: 'State',
  column_at: 'Time',
  column_account: 'Account',
  column_content: 'SHA-256 of the page served',
  column_release: 'Release',
  state_done: 'acknowledged',
  state_open: 'missing',
  state_overdue: 'overdue',
  report_title: 'Acknowledgements',
  report_made: (time: string, release: string) => `Made ${time} ・ release ${release}`,
}
