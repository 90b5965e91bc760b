/** Number of rows in each table of threats. */
type Tables = Readonly<
  Record<'paths' | 'methods' | 'headers' | 'parameters' | 'rawRequests' | 'sideDoors', number>
>

const count = (number: number) => number.toLocaleString('en')

/** English texts of verification; the other languages have the same codes and values. */
export const en = {
  report: {
    heading: (release: string, files: number, url: string) =>
      `Release ${release} (${count(files)} files) behind ${url}`,
    asked: (requests: number, seconds: string) =>
      `  asked without a session   ${count(requests)} times in ${seconds} s`,
    tables: ({ paths, methods, headers, parameters, rawRequests, sideDoors }: Tables) =>
      `  in every way of           ${paths} forms of a path, ${methods} methods, ${headers} header rows, ${parameters} parameters, ${rawRequests} raw requests, ${sideDoors} side doors`,
    behind_reader: (files: number) =>
      `  asked behind a reader     who had just read ${count(files)} of the files`,
    answers: (answers: number) => `  different answers         ${count(answers)}`,
    login_control: (status: number, bytes: number, title: string) =>
      `  control: login page       GET / → ${status}, ${count(bytes)} bytes${title === '' ? '' : `, title "${title}"`}`,
    reader_control: (page: string) => `  control: signed in        GET ${page} → the page of the release`,
    refused_by_proxy: (requests: number, rows: number) =>
      `  refused by the proxy      ${count(requests)} requests of ${rows} rows, before the gate was asked`,
    surface: (addresses: number) =>
      `Open to everybody: ${addresses} addresses; every other address gets the same refusal`,
    more: (others: number) => `  … and ${others} more (--json lists all)`,
    broken: (meaning: string, requests: number, row: string) =>
      `✖ ${meaning}: ${requests} requests, such as (${row})`,
    nothing_verified:
      '✖ Nothing was verified: no page was read with a session. Name the file of a reader’s Cookie header with --reader.',
    closed: '✔ Closed: nothing of the release left the gate.',
    closed_edition: (edition: string) =>
      `✔ Closed: nothing that only other editions hold is there for a reader of ${edition}.`,
    not_closed: (findings: number) => `✖ Not closed: ${findings} different findings; --json lists them all.`,
    edition_heading: (release: string, edition: string) => `Release ${release} as a reader of ${edition}`,
    edition_requests: (requests: number, seconds: string) =>
      `  asked                     ${count(requests)} times in ${seconds} s`,
    edition_files: (files: number) => `  files of the edition      ${count(files)} read`,
    edition_hidden: (hidden: number, shown: number) =>
      `  held by other editions    ${count(hidden)}; of their files ${count(shown)} were sent to readers of these, as a control`,
    progress: (phase: string, requests: number, seconds: string) =>
      `verifying: ${phase}, ${count(requests)} requests, ${seconds} s`,
  },
  phases: {
    reading: 'reading',
    tables: 'tables',
    crowd: 'crowd',
    sessions: 'sessions',
    'raw bytes': 'raw bytes',
    surface: 'surface',
    comparing: 'comparing',
  },
  /** Worst first, as a report has them. */
  meanings: {
    'protected-text': 'text of the release was sent',
    'page-title': 'a page title was sent',
    'file-name': 'a file name was sent',
    answered: 'success without a session',
    redirected: 'a redirect without a session',
    validator: 'a header describes content',
    cacheable: 'an answer may be kept by a cache',
    fault: 'a stranger can cause a fault',
    'no-answer': 'no answer in time',
    unreadable: 'an answer cannot be read, so it cannot be cleared',
    'not-uniform': 'what exists is answered otherwise than what does not',
    'login-language': 'the login page is not in the language of its address',
    'second-answer': 'one request drew two answers',
    'not-pinned': 'an answer is not this product’s own',
    'unknown-header': 'an answer has a header that this product does not send',
    'missing-header': 'an answer lacks a security header',
    'cross-site': 'another site may load what a reader may read',
    'other-edition': 'a reader was sent what only another edition holds',
    'no-control': 'a reader of the other edition was not sent it either, so its absence proves nothing',
    'session-lives': 'a session lives on after its reader signed out',
  },
  verification: {
    edition_unread: (edition: string) => `no file of the edition ${edition} is sent to its reader`,
    ended_session_refused: 'a session that was to be ended opens no file of the release',
    no_login_page: (got: number | string) =>
      `nothing was verified: GET / is not answered with the login page (${got}); if the gate has another name than the URL, give it with --host`,
    reader_unread: 'nothing was verified: the reader’s session opens no page of the release',
    login_not_built: (file: string) => `the login page is not built: ${file} is missing; run npm run build`,
    login_damaged: (file: string, problems: readonly string[]) =>
      `${file} is no login manifest: ${problems.join('; ')}`,
  },
}
