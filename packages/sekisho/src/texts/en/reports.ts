export const reports = {
  report_help: (dataDir: string) => `Usage: sekisho report [--days N] [--limit N] [--json]

Says what readers think of pages, those that helped least first, how many read each page by week (from five on), and which
pages were not opened for 180 days, by owner. Then searches, questions and addresses that found nothing, agents' too, by the
owner of the nearest page. The gate keeps neither names nor times (see SEKISHO_FEEDBACK_DAYS, SEKISHO_READERSHIP and
SEKISHO_SEARCH_LOG_DAYS).

  --days N        how many days back, today included (default 30)
  --limit N       how many pages (default 20)
  --json          everything, for machines
${dataDir}
  --help          show this text`,
  nothing_reported: (root: string) =>
    `there are no answers yet in ${root}, or SEKISHO_FEEDBACK_DAYS is 0; name another folder with --data-dir`,
  report_summary: (answers: number, pagesCount: number, days: number) =>
    `${answers} answers on ${pagesCount} pages in ${days} days`,
  readers_title: 'Readers by page, the last weeks (<5: fewer than five)',
  unread_title: (count: number) => `Not opened for 180 days: ${count} pages`,
  unread_later: 'Unread pages are named once readers have been counted for 180 days.',
  gaps_title: (count: number) =>
    `Looked for in vain, by the owner of the nearest page (from five persons in a week on): ${count}`,
  counts: (unhelpful: number, helpful: number) => `${unhelpful} not helped, ${helpful} helped`,
  comment_of_agent: (comment: string) => `from an agent: ${comment}`,
  more_pages: (left: number) => `and ${left} more pages`,
  notices_help: (dataDir: string) => `Usage: sekisho notices test [--to ADDRESS]

Sends one message without any page to the webhook, and by mail to ADDRESS, as the settings SEKISHO_NOTICES_… name them.

  --to ADDRESS    who gets the mail; needed where a mail server is set
${dataDir}
  --help          show this text`,
  notices_off: 'no notices are set: name SEKISHO_NOTICES_WEBHOOK or SEKISHO_NOTICES_SMTP',
  notices_no_recipient: 'a mail server is set: say with --to ADDRESS who gets the test mail',
  notice_taken: (host: string) => `${host} took the test message`,
  notice_refused: (host: string, reason: string) =>
    `${host} did not take the test message (${reason}). private_address: name the host in SEKISHO_NOTICES_PRIVATE_HOSTS if it is yours`,
  audit_help: (
    dataDir: string,
  ) => `Usage: sekisho audit verify [EXPORT] [--expect-head HASH] [--expect-first [CHAIN:]NUMBER]
       sekisho audit export --from TIME --to TIME --out DIR
       sekisho audit key
       sekisho audit trim --keep TIME
       sekisho audit follow --cursor FILE [--out FILE] [--once]

verify  follows every chain of the audit trail from its first line to its last, also beside a running gate: names altered and
        missing lines and files, and holds both ends against the signed heads. With EXPORT, a folder that export made
export  copies the lines of a time into a folder that can be verified elsewhere
key     prints the public key that heads and exports are signed for
trim    removes lines older than TIME (as 365d) from the trail in a database; who did it, and through which line, stays, signed.
        It needs a role that gates do not have (sekisho migrate --grant-operator); in files the gate does it, by SEKISHO_AUDIT_KEEP
follow  writes every line as JSON to standard output or a file, from the first one that is kept and on until it is stopped. FILE of
        --cursor has what was accepted: each line is written at least once, also over restarts; lines removed unread are reported

With SEKISHO_DATABASE_URL set, and without --data-dir, it is the trail of all gates in that database; it needs SEKISHO_SECRET.

Whoever can write to the whole data folder can put an older copy of it in place: note a head somewhere else from time to time
(the gate's log does, every hour) and pass it.

  --expect-head HASH  a head printed by an earlier run, which must still be part of the trail; as often as you like
  --expect-first N    the first line that an earlier run printed must still be there (CHAIN:N for another chain than the gate's)
  --public-key FILE   the key that an export must be signed with (default: the one that lies in it, whose fingerprint is printed)
  --from, --to TIME   ISO 8601, as 2026-11-01 or 2026-11-01T09:00:00+09:00; --to is not part of the time
  --out DIR           a folder that is not there yet; of follow, a file that lines are added to
  --once              end at the trail's present end, with 1 when lines were missing
${dataDir}
  --help              show this text`,
  follow_needs: '--cursor FILE is needed: it keeps what was written already',
  follow_gap: (chain: string, seq: number) =>
    `${chain}: lines before number ${seq} were removed from the trail before they were read; a line marked "follow":"gap" says which`,
  follow_rewritten: (chain: string, seq: number) =>
    `${chain}: other lines are in the place of some that were written (a fail-over, most often); written again from the first line, through ${seq}`,
  follow_altered: (chain: string, seq: number) =>
    `${chain}: a line up to number ${seq} was altered; run: sekisho audit verify`,
  follow_waits: (code: string) => `the trail cannot be read (${code}); trying again every second`,
  follow_output: (code: string) =>
    `the output takes no more lines (${code}); what it did not take is written again at the next start`,
  follow_no_cursor: (file: string) =>
    `${file} is no cursor of sekisho audit follow: name another file, or remove it to begin at the first line`,
  lines_removed: (lines: number) => `${lines} lines removed`,
  chain_trimmed: (chain: string, lines: number, through: number) =>
    `${chain}: ${lines} lines removed, through number ${through}`,
  no_older_lines: (before: string) => `no line is older than ${before}`,
  trim_by_gate: 'of a trail in files the gate removes old lines by itself, as SEKISHO_AUDIT_KEEP says',
  lines_verified: (lines: number) => `${lines} lines verified`,
  line: (lineNumber: number) => `, line ${lineNumber}`,
  chain_of_lines: (chain: string, lines: number, firstSeq: number) =>
    `${chain}: ${lines} lines, beginning at number ${firstSeq}`,
  chain_unaltered: (chain: string, lines: number, firstSeq: number) =>
    `${chain}: ${lines} lines, unaltered, beginning at number ${firstSeq}`,
  head_unsigned: (hash: string) => `  head ${hash}, never signed`,
  head_signed: (hash: string, signed: string) => `  head ${hash}, last signed at ${signed}`,
  older_than_head: (seq: number) =>
    `  lines up to ${seq} are older than the signed head: right only after an upgrade`,
  lines_rewritten: (lines: number) =>
    `  ${lines} of them were lost in a fail-over of the database and written again as they were (behind lines_missing, marked again)`,
  last_line_unfinished: '  its last line is being written, or was cut short by a crash',
  search_report_help: (dataDir: string) => `Usage: sekisho search-report [--days N] [--limit N] [--json]

Says what readers looked for: queries by count, those that found nothing, and those whose first result nobody
opened, and candidates for the site's synonyms, what three readers or more gave up before they opened something found otherwise,
each with the command that accepts it. The gate keeps searches without names or times (see SEKISHO_SEARCH_LOG_DAYS).

  --days N        how many days back, today included (default 30)
  --limit N       how many queries in each list (default 20)
  --json          everything, for machines
${dataDir}
  --help          show this text`,
  searches_opened_results: (searches: number, opened: number, days: number) =>
    `${searches} searches and ${opened} opened results in ${days} days`,
  most_searched: 'Most searched',
  searched_by_agents: 'Searched by agents',
  without_hit_for_agents: 'Without a hit for agents',
  without_hit: 'Without a hit',
  first_result_unopened: 'First result not opened',
  more: (foundCount: number, limit: number) => `         and ${foundCount - limit} more`,
  candidates_for_synonyms:
    'Candidates for synonyms: given up, then searched for otherwise and opened, by three readers or more',
  bad_days_or_limit: '--days and --limit are whole numbers from 1',
  bad_expect_first: '--expect-first takes a number, or CHAIN:NUMBER',
  no_trail: (folder: string) => `there is no audit trail at ${folder}; name the folder with --data-dir`,
  unexpected: (argument: string) => `Unexpected argument '${argument}'`,
  export_options_missing: 'export needs --from, a later --to, and --out',
  trim_needs: 'trim needs --keep with a time such as 365d',
  export_folder_exists: (folder: string) => `${folder} is there already; name a new folder with --out`,
  no_export: (folder: string) => `${folder} is no export: it holds no audit-public-key.pem`,
  key_from_export: (fingerprint: string) =>
    `  signed for the key ${fingerprint}, which came with it: compare with sekisho audit key`,
  no_key_yet: (folder: string) => `there is no key in ${folder} before the gate was first started`,
  fingerprint: (fingerprint: string) => `fingerprint ${fingerprint}`,
  exported: (chain: string, first: number, last: number) => `${chain}: lines ${first} to ${last}`,
  written_to: (folder: string) => `Written to ${folder}. To verify it: sekisho audit verify ${folder}`,
  nothing_searched: (root: string) =>
    `nothing was searched yet in ${root}, or SEKISHO_SEARCH_LOG_DAYS is 0; name another folder with --data-dir`,
}
