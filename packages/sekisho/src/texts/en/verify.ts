export const verify = {
  verify_help: (
    dataDir: string,
  ) => `Usage: sekisho verify [--url URL] [--preview NAME] [--release ID|DIR] [--json]

Proves that a gate is closed: requests every file of a release without a session, in every hostile way of the threat
tables, over raw sockets, and compares every response with the release. Exit code 0: closed. 1: not closed.
2: wrong options, or nothing to verify.

  --url URL         the gate to verify (default: one is started on a loopback port for the time of the run)
  --host NAME       host name to send, if it differs from that of the URL
  --ca FILE         certificates to trust in place of the public ones, PEM, as for a proxy under test
  --reader FILE     a reader's Cookie header: everything is read with it once, and requested again without
                    with --as, once for each edition: --reader EDITION=FILE
  --agent EDITION=FILE  with --as and --url: a token of a reader of that edition, once for each; asks /mcp with it
  --sign-out        signs that reader out at the end, and requests everything with the ended session
  --preview NAME    a preview, at the address that --url names
  --as EDITION      as a reader of that edition, requests everything that only other editions contain
  --release ID|DIR  the release it serves (default: the current one)
${dataDir}
  --public TEXT     a phrase that may appear without a session; may be given more than once
  --quick           each table by itself, without their products
  --json            the whole report as JSON
  --help            show this text`,
  no_edition: (name: string, names: readonly string[]) =>
    `there is no edition ${name} in the release, only ${names.join(', ')}`,
  agent_without_as: '--agent needs --as with the edition of its reader',
  no_release: (folder: string) =>
    `there is no release in ${folder}: run sekisho build, or name one with --release`,
  preview_needs_url: '--preview needs --url, the address of the preview',
  url_is_origin: '--url must be an http or https origin without a path, as in https://docs.example.com',
  sign_out_needs_reader: '--sign-out needs --reader, whose session it ends',
  one_reader: '--reader names one reader, unless --as asks for one of each edition',
  as_excludes_sign_out: '--as and --sign-out cannot be combined',
  edition_and_file: (given: string, names: readonly string[]) =>
    `${given} must be EDITION=FILE, with one of ${names.join(', ')}`,
  edition_readers_missing: (missing: string) =>
    `a running gate needs a reader of each edition: ${missing} is missing`,
  option_unread: (option: string, why: string) => `${option} cannot be read: ${why}`,
  login_language: (languages: readonly string[]) => `SEKISHO_LOGIN_LANG must be ${languages.join(' or ')}`,
  unreachable: (why: string) => `the gate cannot be reached: ${why}`,
  own_gate_ended: 'the gate ended while it was starting; its message is above',
  own_gate_unresponsive: 'the gate did not report its address',
}
