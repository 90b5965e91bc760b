export const state = {
  agents_help: (dataDir: string) => `Usage: sekisho agents list
       sekisho agents revoke (--user EMAIL | --client ID | --id ID | --all)

list    shows which agents, and tokens for scripts, may read for whom
revoke  takes that back; a running gate follows from the next request on, and it is in the audit trail

With SEKISHO_DATABASE_URL set it works on that database, unless --data-dir is given.

  --user EMAIL    whatever the reader of this address allowed
  --client ID     whatever this client was allowed, as named by list
  --id ID         one of them, as named by list
  --all           everything
${dataDir}
  --help          show this text`,
  agent_times: (since: string, until: string, used: string, calls: number) =>
    `since ${since}  until ${until}  last used ${used}  calls ${calls}`,
  agent_token: 'token',
  grants: (grants: number) => `${grants} grant${grants === 1 ? '' : 's'}`,
  grant_ended: 'ended',
  grants_ended: (grants: number) => `${grants} grant${grants === 1 ? '' : 's'} ended`,
  sessions_help: (dataDir: string) => `Usage: sekisho sessions list
       sekisho sessions revoke (--user EMAIL | --id ID | --all)
       sekisho sessions unbind --user EMAIL

list    shows who is signed in
revoke  ends sessions; a running gate follows within a second and records it in the audit trail
unbind  lets another Google account take over an address (an address belongs to the account that first used it);
        with a database this needs its owner's role: a gate's cannot

With SEKISHO_DATABASE_URL set it works on that database, unless --data-dir is given.

  --user EMAIL    every session of this address
  --id ID         one session, as named by list
  --all           everybody
${dataDir}
  --help          show this text`,
  store_busy:
    'another process has gone on writing here for a minute; a disk whose syncs do not end is the usual cause. What was printed is done, and nothing else: run the command again',
  session_store_not_found: (root: string) =>
    `there is no session store in ${root}; name the folder with --data-dir, or set SEKISHO_DATABASE_URL`,
  since_last_seen: (started: string, seen: string) => `since ${started}  last seen ${seen}`,
  session: (sessions: number) => `${sessions} session${sessions === 1 ? '' : 's'}`,
  ended: 'ended',
  count_ended: ' ended',
  address_released: (email: string) => `${email} is free for the next account`,
  address_not_bound: (email: string) => `${email} was bound to no account`,
  migrate_help: (
    gateGrants: readonly string[],
    operatorGrants: readonly string[],
  ) => `Usage: sekisho migrate [--grant ROLE] [--grant-operator ROLE]
       sekisho migrate --from DIR

Makes the schema in the database of SEKISHO_DATABASE_URL (or SEKISHO_DATABASE_URL_FILE), or brings it up to date; run it
with a role that may create a schema, before gates of this version start. Doing it twice, or from two places at once, does
no harm. Roles that were granted before get what is theirs of new tables, and gates of the version before go on, and may
be restarted, while they are replaced.

  --grant ROLE           lets this role do what a gate needs, and no more:
${gateGrants.map((grant) => `                           GRANT ${grant}`).join('\n')}
  --grant-operator ROLE  lets this role, which is no gate's, do what operators' commands need (sessions, tokens, audit):
${operatorGrants.map((grant) => `                           GRANT ${grant}`).join('\n')}
  --from DIR             then takes what a gate remembers in this data folder into the database, which must be empty: sessions, accounts,
                         agents' grants, publish tokens, searches, and the audit trail with its chains and key. The gate must be stopped
                         and SEKISHO_SECRET its own. All of it or nothing: run it again when it was broken off. Releases, previews
                         and feedback stay in the folder, which the gate goes on using
  --help                 show this text`,
  backup_help: (dataDir: string) => `Usage: sekisho backup DIR [--data-dir DIR]

Copies what a gate keeps into an empty folder, while the gate runs: sessions, publish tokens, the audit trail with its key, releases,
searches and feedback; with SEKISHO_DATABASE_URL set, which must be its owner's, every row of the database as of one moment, too.
Links are followed. SEKISHO_SECRET must be the gate's: it is compared and not copied, so keep it elsewhere. The copy holds what lets
readers in once that secret is known: keep it as safe as the gate.

${dataDir}
  --help          show this text`,
  restore_help: (
    dataDir: string,
  ) => `Usage: sekisho restore DIR [--expect-head HASH] [--dry-run] [--data-dir DIR]

Puts a backup back while the gate is stopped. Checks the secret, every file, the databases and the audit trail first; what the folder holds
now is put aside into a folder within it. A database must be empty.

  --expect-head HASH  the last audit_head of a log that is kept elsewhere; may be given several times
  --dry-run           does all of it in a temporary folder, and in a transaction that is undone: a drill, with its time
${dataDir}
  --help              show this text`,
  backup_chain: (chain: string, seq: number, hash: string) => `  ${chain}: line ${seq}, head ${hash}`,
  backup_written: (dir: string, files: number, seconds: string) =>
    `Backed up into ${dir}: ${files} files in ${seconds} s.`,
  restored: (files: number, rows: number, seconds: string) =>
    `Restored ${files} files and ${rows} database rows in ${seconds} s.`,
  restore_tried: (files: number, rows: number, seconds: string) =>
    `The backup can be restored: ${files} files and ${rows} database rows in ${seconds} s. Nothing was changed.`,
  restore_aside: (dir: string) => `What was there before is in ${dir}; remove it once the gate serves.`,
  rows_moved: (table: string, rows: number) => `${table.padEnd(14)} ${rows}`,
  state_moved: (root: string) =>
    `Moved from ${root}, which stays as it was. Start the gate on it with SEKISHO_DATABASE_URL, and run: sekisho audit verify`,
  set_sekisho_database: 'set SEKISHO_DATABASE_URL; without a database there is nothing to migrate',
  schema_current: (to: number) => `The schema is version ${to} already.`,
  schema_migrated: (to: number) => `The schema is now version ${to}.`,
}
