/** Texts on places of state; the other languages have the same codes and values. */
export const en = {
  storage: {
    // The database
    database_unreachable: (setting: string, reason: string) =>
      `the database of ${setting} cannot be reached: ${reason}`,
    database_without_tls:
      'it speaks no TLS: set ssl = on there, or check host and port; a database on this machine may do with sslmode=disable',
    database_standby:
      'the database is a standby, or read-only, and nothing can be written there: name the server that takes writes, or all of them with commas between them',
    bad_hosts: 'the URL of the database names no server',
    behind_pooler:
      'there is a pooler (pgbouncer, for one) where the database should be, and behind one nothing is heard of other gates and no lock holds: give the address of the database itself in SEKISHO_DATABASE_LISTEN_URL; SEKISHO_DATABASE_URL may be the pooler, in transaction or session mode',
    unusable_pooler: (reason: string) => `what SEKISHO_DATABASE_URL leads to cannot be used: ${reason}`,
    not_migrated: (reason: string) => `the database could not be migrated: ${reason}`,
    no_schema: (reason: string) =>
      `the database has no schema that this role may use; run: sekisho migrate --grant ROLE (${reason})`,
    old_schema: (version: number, needed: number) =>
      `the database's schema is version ${version}, and ${needed} is needed; run: sekisho migrate`,
    new_schema: (version: number, known: number) =>
      `the database's schema is version ${version}, made by a newer sekisho than this one, which knows ${known}; update this one`,
    commit_not_synced:
      "synchronous_commit is off for this role: a power cut would take sign-ins' lines; set it to on",

    // The data folder
    folder_unusable: (root: string) => `the data folder ${root} cannot be made or is not ours`,
    restore_completed: (aside: string) =>
      `a restore that was cut off has been completed now; what was there before is in ${aside}. If it was of this backup, nothing is left to do; else run this again`,
    folder_in_use: (root: string) => `another gate is running on ${root}; stop it or set SEKISHO_DATA_DIR`,
    sessions_newer: (version: number, known: number) =>
      `sessions.db is of version ${version}, made by a newer sekisho than this one, which knows ${known}; update this one, or put a copy from before the update in its place`,

    // Moving to PostgreSQL
    nothing_to_move: (root: string) =>
      `there is no session store in ${root}: name the data folder of a gate with --from`,
    target_not_empty: (table: string) =>
      `the database is in use: ${table} is not empty, and two states cannot be made one. Move into a new database`,
    altered_line: (place: string) =>
      `${place} holds a line that was altered: look into it with sekisho audit verify before you move`,
    no_secret_yet:
      'sessions.db does not say yet which secret it is sealed with: start a gate of this version on the folder once, and stop it',

    // Backups
    nothing_to_back_up: (root: string) =>
      `${root} holds nothing that a gate kept: name its data folder with --data-dir`,
    backup_inside: (root: string) => `the backup must lie outside of the data folder ${root}`,
    backup_not_empty: (dir: string) => `${dir} is not empty: each backup has a folder of its own`,
    no_backup: (dir: string) =>
      `${dir} is not a whole backup that this version can read: it needs a backup.json of format 1`,
    backup_damaged: (path: string) => `${path} of the backup is damaged or missing`,
    backup_of_database: 'the backup holds a database: set SEKISHO_DATABASE_URL to an empty one, as its owner',
    backup_of_files:
      'the backup holds no database: unset SEKISHO_DATABASE_URL, or name the folder with --data-dir',
    not_backed_up: (reason: string) => `the database could not be backed up: ${reason}`,
    backup_trail: (place: string, problem: string) => `audit trail of the backup, ${place}: ${problem}`,

    // The secret
    other_secret: (own: string, found: string) =>
      `SEKISHO_SECRET is another one (fingerprint ${own}) than sessions are sealed with (${found}): everybody would be signed out. Set the one that they were sealed with; to replace it, name that one in SEKISHO_SECRET_PREVIOUS_FILE`,
    other_secret_of_trail:
      'SEKISHO_SECRET is another one than the audit trail was signed with: everybody would be signed out. Set the one that gates had until now',
    altered_key: 'the sealed key of the trail in sekisho.secret was altered',
    unwritable_secret: 'sekisho.secret cannot be written',
  },
  /** Problems of a trail. */
  trail: {
    no_line: 'there is not one line',
    head_missing: (head: string) =>
      `the expected head ${head} is missing: lines were cut from the end, or the trail is an older one`,
    noted_line_missing: (line: number) => `another chain noted line ${line}, which is missing`,
    other_key: 'one was not signed with this key',
    other_file: 'the file is another one than its name says',
    file_missing: (file: number) => `the file before it is missing: number ${file}`,
    file_cut: (line: number) => `line ${line} of the chain is missing: the file before it was cut`,
    line_missing: (line: number) => `line ${line} of the chain is missing`,
    replaced_before: 'the line before it was altered or replaced',
    signed_line_rewritten: 'it is not the line whose hash was signed: the trail was rewritten',
    cut_short: 'its last line is cut short',
    altered: 'the line was altered',
    no_signed_head: 'no signed head says where it ends',
    end_missing: (first: number, last: number, at: string) =>
      `lines ${first} to ${last} are missing at its end: they were signed on ${at}`,
    beginning_missing: (first: number, last: number) =>
      `lines ${first} to ${last} are missing at its beginning, and no note says that they were removed`,
    removed_lines_mismatch: 'its first line does not follow the last one that was removed',
    first_line_late: (expected: number, first: number) =>
      `it should begin at line ${expected} and begins at ${first}`,
    rewrite_unannounced: 'it is said to be written again, and no line says that it was lost',
    missing_at_start: 'lines before it were missing when the gate was started',
    not_whole: 'lines that were lost before it are not all written again as they were',
    whole_trail: 'the trail',
    signed_heads: 'the signed heads',
  },
}
