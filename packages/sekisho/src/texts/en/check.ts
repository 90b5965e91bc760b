/** Findings of `sekisho check`, by code; the other languages have the same codes and values. */
export const check = {
  // What was seen
  saw_installed: (version: string, node: string, platform: string) =>
    `installed   sekisho ${version}, Node ${node}, ${platform}`,
  saw_site: (version: string) => `site        Docusaurus ${version}`,
  saw_no_site: 'site        none here',
  saw_release: (id: string) => `release     ${id}`,
  saw_no_release: 'release     none in the data folder',
  saw_port: (port: number) => `port        ${port}`,
  next_choose:
    'These are the settings of a gate for others. To begin on this machine: sekisho demo, sekisho init in a Docusaurus site, or sekisho pack DIR.',
  next_start: 'These are the settings of a gate for others. On this machine none is needed: sekisho start.',
  next_serve_local:
    'These are the settings of a gate for others. On this machine none is needed: sekisho serve --local.',
  saw_origin: (origin: string) => `origin      ${origin}`,
  saw_listening: (host: string, port: number) => `listening   ${host}:${port}`,
  saw_running: (pid: number) => `running     this gate is running already, process ${pid}`,
  saw_data: (folder: string, freeGb: string) => `data        ${folder}, ${freeGb} GB left`,
  saw_trail: (gb: string, yearlyGb: string) =>
    `trail       ${gb} GB, + ${yearlyGb} GB a year at the pace so far`,
  saw_identity: (names: string) => `identity    ${names || 'not configured'}`,
  saw_policy_file: (file: string) => `admitted    as ${file} says`,
  saw_policy: (whom: string) => `admitted    ${whom}`,
  saw_grant: (grant: string, risk: string) => `granted     ${grant}: ${risk}`,
  saw_notices: (to: readonly string[]) =>
    `notices     ${to.length === 0 ? 'none: neither a webhook nor a mail server is set' : `to ${to.join(' and ')}; sekisho notices test sends one`}`,
  saw_queue: (of: { waiting: number; failing: number; dropped: number }) =>
    `            ${of.waiting} waiting, ${of.failing} of them after a failed attempt; ${of.dropped} given up in 100 days`,
  saw_accepted: (risk: string) => `accepted    ${risk}`,
  saw_renamed: (warning: string) => `renamed     ${warning}`,
  saw_database: (role: string, version: string, free: number) =>
    `database    role ${role}, schema ${version}, ${free} connections left`,
  saw_bucket: (place: string) => `bucket      ${place} stores objects and honours conditional requests`,
  saw_issuer: (issuer: string, keys: number) => `issuer      ${issuer} answers, ${keys} keys`,
  saw_model: (host: string, model: string, firstMs: number, wholeMs: number, tokens: number) =>
    `answers     ${model} at ${host}: first word after ${firstMs} ms, a test question took ${wholeMs} ms and ${tokens} tokens. Sent there for each question: the question, up to 6,000 tokens of pages that its reader may read, and earlier questions of the tab; of a search that is a sentence, its words; no name, address or session`,
  saw_rewriter: (host: string, model: string, firstMs: number, wholeMs: number, tokens: number) =>
    `rewriting   ${model} at ${host}: first word after ${firstMs} ms, a test question took ${wholeMs} ms and ${tokens} tokens. Sent there for each search that is a sentence: its words; no page, name, address or session`,

  // The database
  database_tls: (problem: string) => `the database of SEKISHO_DATABASE_URL was reached, but ${problem}`,
  database_unreachable: (reason: string) =>
    `the database of SEKISHO_DATABASE_URL cannot be reached: ${reason}. Check host, port, role and password, and that its firewall lets this machine in`,
  database_has_no_schema: () =>
    'the database has no schema of Sekisho that this role may read: run sekisho migrate --grant ROLE as the owner of the schema',
  database_schema_old: (version: number, needed: number) =>
    `the database's schema is version ${version}, and ${needed} is needed: run sekisho migrate as the owner of the schema`,
  database_schema_new: (version: number, known: number) =>
    `the database's schema is version ${version}, and this software knows ${known}: update it`,
  database_superuser: (role: string) =>
    `the role ${role} is a superuser of the database: an attacker who takes over a gate could alter the audit trail. Create a role for gates and run sekisho migrate --grant ROLE as the owner`,
  database_owner: (role: string) =>
    `the role ${role} owns the tables, so a compromised gate could alter the audit trail. Create a separate role for gates, and run sekisho migrate --grant ROLE as ${role}`,
  database_rights_missing: (role: string, rights: string) =>
    `the role ${role} lacks rights in the database: ${rights}. Run sekisho migrate --grant ${role} as the owner`,
  database_rights_excess: (role: string, rights: string) =>
    `the role ${role} has more database privileges than a gate needs: ${rights}. Revoke them with REVOKE`,
  database_full: (free: number, needed: number) =>
    `the database has ${free} connections left, and one gate takes up to ${needed}: raise max_connections`,

  model_silent: (host: string) =>
    `the model at ${host} returned an empty answer. Check SEKISHO_ANSWERS_MODEL`,
  model_failed: (host: string, reason: string) =>
    `the model at ${host} did not answer a test question (${reason}). Check SEKISHO_ANSWERS_URL, _MODEL, _KEY_FILE and _AUTH`,

  // The bucket
  bucket_trying: (place: string) => `trying      ${place}`,
  bucket_none: () => 'SEKISHO_RELEASES names no bucket',
  bucket_create: () =>
    'the bucket cannot be used: it ignores If-None-Match on writes, so publishers can overwrite each other. Choose a bucket with conditional writes',
  bucket_swap: () =>
    'the bucket cannot be used: it ignores If-Match on writes, so concurrent publishers overwrite each other silently. Choose a bucket with conditional writes',
  bucket_both: () =>
    'the bucket cannot be used: of two concurrent writes with the same If-Match it accepted both, or neither. Choose a bucket with conditional writes',
  bucket_read: () =>
    'the bucket cannot be used: it ignores If-None-Match on reads, so every poll of the pointer looks like a new release',
  bucket_hash: () =>
    'the bucket cannot be used: it does not verify the SHA-256 of uploads, so a file damaged in transit would be accepted',
  bucket_etag: () =>
    'the bucket cannot be used: its ETags do not change with the contents, so conditional requests do not work',
  bucket_list: () =>
    'the bucket cannot be used: a listing lacks an object written just before; it must be strongly consistent',
  bucket_gone: () => 'the bucket cannot be used: a deleted object is still there',
  bucket_open: () =>
    'the bucket cannot be used: it is public: an object was read without a signature. Block public access before you publish',
  bucket_read_only: () =>
    'these credentials may not write to the bucket, so nothing can be published through this gate (SEKISHO_PUBLISH_RULES_FILE): give them s3:PutObject and s3:DeleteObject below the prefix, or unset the rules',
  bucket_may_not_write: () =>
    'the credentials may read the bucket but not write to it, as is right for a gate; conditional writes were not tested',

  // The issuers
  // A running gate
  probe_help: `Usage: sekisho probe --url ORIGIN [--token-file FILE [--page PATH]] [--issuer ISSUER …] [--json]

Goes the way of a reader at a running gate: health, login page, the start of a sign-in at each OpenID provider, the documents and
keys of the issuers named, and one page by a personal token of the account page. Ends with 0 when all of it works, 1 when
something does not, 2 for wrong options. No password is used: the sign-in itself ends at the provider's page.

  --url ORIGIN        the portal, as https://docs.example.co.jp
  --token-file FILE   a file with a personal token; without it no page is read
  --page PATH         the page that is read (default: /)
  --issuer ISSUER     an OpenID issuer that must have keys, asked from this machine; as often as you like
  --json              one JSON object: ok, and name, ok, ms and problem of each check
  --help              show this text`,
  probe_needs:
    '--url must be the https address of the portal, --issuer a URL and --page a path beginning with /',
  probe_no_token: (file: string) => `${file} holds no personal token`,
  probe_status: (status: number) => `status ${status}`,
  probe_health: (status: string) => `the gate reports ${status}: its log and the metrics port name the part`,
  probe_no_login: (status: number) => `the response is not Sekisho's login page (status ${status})`,
  probe_no_provider: 'the login page offers no way to sign in: the log says which setting is wrong',
  probe_start: (status: number) => `the gate cannot send readers to the provider (status ${status})`,
  probe_token_refused: (host: string) =>
    `${host} does not accept the token: it was revoked, its sign-in has ended, or the policy no longer admits the account`,
  probe_too_long: 'the response is too long',
  issuer_tls: (issuer: string, problem: string) => `${issuer} was reached, but ${problem}`,
  issuer_unreachable: (issuer: string, reason: string) =>
    `${issuer} cannot be reached: ${reason}. Allow https connections from this machine to it`,
  issuer_unreachable_by_proxy: (issuer: string, reason: string) =>
    `${issuer} cannot be reached: ${reason}. HTTPS_PROXY is set and not used: Node uses it with NODE_USE_ENV_PROXY=1`,
  issuer_name_differs: (issuer: string, name: string) =>
    `${issuer} calls itself ${name}: set SEKISHO_OIDC_ISSUER to exactly that`,
  issuer_no_keys: (issuer: string) =>
    `${issuer} publishes no key for verifying tokens (jwks_uri): is it the address of an OpenID provider?`,

  // This machine
  clock_differs: (source: string, seconds: number, isAhead: boolean) =>
    `this machine's clock is ${seconds} s ${isAhead ? 'ahead of' : 'behind'} that of ${source}: sign-ins are refused. Synchronise it (chrony, systemd-timesyncd)`,
  host_unknown: (host: string) =>
    `SEKISHO_HOST=${host} is not an address of this machine: use 127.0.0.1, 0.0.0.0 or one of its own`,
  port_taken: (setting: string, port: number) =>
    `port ${port} (${setting}) is in use: stop the program that listens there, or choose another port`,
  port_taken_by: (setting: string, port: number, program: string, pid: number) =>
    `port ${port} (${setting}) is in use by ${program}, process ${pid}: stop it, or choose another port`,
  port_refused: (setting: string, port: number) =>
    `port ${port} (${setting}) may not be opened by this user: choose one from 1024, or let the service manager open it`,
  data_folder_taken: (folder: string) =>
    `another gate uses ${folder}: stop it, or set SEKISHO_DATA_DIR to a separate folder`,
  data_folder_unusable: (folder: string, reason: string) =>
    `the data folder ${folder} cannot be used: ${reason}. It must belong to this user and be writable`,
  file_readable: (what: string, path: string, mode: string) =>
    `${what}: every user of this machine can read ${path} (mode ${mode}): run chmod 0400 ${path}, and make the gate's user its owner`,
  disk_small: (folder: string, freeGb: string, neededGb: string) =>
    `${folder} has ${freeGb} GB left, and the audit trail will need ${neededGb} GB more before SEKISHO_AUDIT_KEEP removes old lines: use a larger disk, or a shorter period`,
  disk_almost_full: (folder: string, freeGb: string) =>
    `${folder} has ${freeGb} GB left: without space for the audit trail no page is served. Free some space`,
  check_help: (
    dataDir: string,
    settings: string,
  ) => `Usage: sekisho check [--local] [--offline] [--json] [--data-dir DIR]
       sekisho check --bucket
       sekisho check --prose [--site DIR]
       sekisho check --browser [--pages N] [--data-dir DIR]
       sekisho check --freshness [--json] [--data-dir DIR]
       sekisho check --links [--json] [--data-dir DIR]

Reads the settings as sekisho serve would, looks at the database, the bucket, the issuers, the clock, the disk and the ports,
and reports every problem. Starts nothing.

  --local   check for local mode
  --offline look at settings and files alone, and connect to nothing
  --json    one JSON object to paste into a report: versions, names of settings and codes of problems; no value, path or address
  --bucket  try what SEKISHO_RELEASES names, below a prefix of its own that is removed again: does it keep what it is
            given, refuse what does not meet its condition, and refuse strangers?
  --prose   have textlint read the site's pages, by the rules of its .textlintrc.json or those for technical Japanese
  --site DIR  the Docusaurus site (default: the one this folder belongs to, or the only one below it)
  --browser opens pages of the release in this machine’s Chromium (Chrome, Edge) and lists what was refused while they ran
  --pages N   how many pages, evenly spread over the site (default 40)
  --freshness lists pages of the served release whose review is overdue, by owner, those with the most
            readers and answers first (180 days), then the longest overdue, and
            translations whose original has changed since, by language; ends with 1 when there are any.
            With --json: paths, titles, owners, days, uses
  --links   lists links of the served release that lead nowhere, by owner: to pages and headings, with what earlier releases
            know of them, and to other hosts, which are asked from here; ends with 1 when there are any
${dataDir}
  --help    show this text

Settings:
${settings}`,
  check_passed: '✔ The settings are complete.',
  wrong_pages: (max: number) => `--pages must be a number from 1 to ${max}`,
  no_browser: 'there is no Chromium, Chrome or Edge on this machine: install one, or name it in CHROME_PATH',
  // Reviews
  all_fresh: '✔ No review is overdue, and no translation is behind its original.',
  overdue_of: (owner: string, pages: number) => `${owner}: ${pages} overdue`,
  overdue_of_none: (pages: number) => `(no owner): ${pages} overdue`,
  overdue_page: (path: string, title: string, due: string, days: number) =>
    `${path}  ${title}: due ${due}, ${days} ${days === 1 ? 'day' : 'days'} ago`,
  behind_in: (lang: string, pages: number) =>
    `Translations (${lang}): ${pages} behind ${pages === 1 ? 'its original' : 'their originals'}`,
  behind_page: (path: string, title: string, behind: number) =>
    `${path}  ${title}: the original has changed ${behind === 1 ? 'once' : `${behind} times`}`,
  // Links
  link_none: (asked: number) =>
    `✔ No link to a page or heading is broken, and none of ${asked} addresses elsewhere is gone.`,
  link_unasked: (addresses: number) => `${addresses} further addresses elsewhere were not asked for.`,
  link_owner: (owner: string, links: number) => `${owner || '(no owner)'}: ${links} broken`,
  link_broken: (
    path: string,
    title: string,
    target: string,
    {
      until,
      since,
      now,
    }: { readonly until: string | null; readonly since: string | null; readonly now: string | null },
  ) =>
    `${path}  ${title}: ${target} is not there${since === null ? '' : ` since ${since}`}${until === null ? '' : `; it was on ${until}`}${now === null ? '' : `, and is now ${now}`}`,
  // Readers
  editions_incomparable: (who: string, gets: string, lacks: string) =>
    `${who} may read the editions ${gets} and ${lacks}, each of which has pages that the other lacks, but receives only ${gets}: put an edition with the audiences of both before them in sekisho.editions.json`,
  groups_incomplete: (accounts: number) =>
    `the provider does not send all groups of ${accounts} signed-in account${accounts === 1 ? '' : 's'} (Entra above 200, Okta from 100), so none of their groups are used: assign groups to the application, use app roles, or narrow the filter`,

  nothing_to_open: 'there is no release to open: run sekisho build or sekisho pack first',
  browser_failed: (why: string) => `the browser could not be used (${why}): name another one in CHROME_PATH`,
  opened: (opened: number, all: number, refused: number) =>
    `${opened} of ${all} pages were opened; ${refused === 0 ? 'nothing was refused' : `${refused} things were refused`}`,
}
