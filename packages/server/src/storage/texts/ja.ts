import type { en } from './en.ts'

export const ja: typeof en = {
  storage: {
    database_unreachable: (setting, reason) => `${setting} のデータベースに接続できません（${reason}）。`,
    database_without_tls:
      'サーバーが TLS に対応していません。PostgreSQL の設定で ssl = on にするか、ホストとポートを確認してください。同じマシンのデータベースなら sslmode=disable も使えます。',
    database_standby:
      'データベースがスタンバイか読み取り専用なので、書き込めません。書き込めるサーバーを設定するか、すべてのサーバーをコンマで区切って設定してください。',
    bad_hosts: 'データベースの URL にサーバーの名前がありません。',
    behind_pooler:
      'データベースがあるはずの場所に、pgbouncer のような接続プーラーがあります。プーラー越しでは、ほかのゲートからの通知が届かず、ロックも効きません。データベースそのもののアドレスを SEKISHO_DATABASE_LISTEN_URL に設定してください。SEKISHO_DATABASE_URL は、transaction か session モードのプーラーのままで構いません。',
    unusable_pooler: (reason) => `SEKISHO_DATABASE_URL の接続先を使えません（${reason}）。`,
    not_migrated: (reason) => `データベースを移行できませんでした（${reason}）。`,
    no_schema: (reason) =>
      `このロールが使えるスキーマがデータベースにありません。sekisho migrate --grant ROLE を実行してください（${reason}）。`,
    old_schema: (version, needed) =>
      `データベースのスキーマはバージョン ${version} ですが、${needed} が必要です。sekisho migrate を実行してください。`,
    new_schema: (version, known) =>
      `データベースのスキーマはバージョン ${version} で、このソフトウェアの ${known} より新しいものです。ソフトウェアを更新してください。`,
    commit_not_synced:
      'このロールでは synchronous_commit が無効なので、停電でログインの記録が失われます。on にしてください。',

    folder_unusable: (root) =>
      `データフォルダー ${root} を作れないか、別のアカウントのものです。場所と権限を確認してください。`,
    restore_completed: (aside) =>
      `途中で止まっていた復元を完了しました。以前の内容は ${aside} にあります。このバックアップの復元だったなら、ほかに行うことはありません。別のものなら、もう一度実行してください。`,
    folder_in_use: (root) =>
      `${root} では別のゲートが動いています。それを止めるか、SEKISHO_DATA_DIR に別のフォルダーを設定してください。`,
    sessions_newer: (version, known) =>
      `sessions.db はバージョン ${version} で、このソフトウェアの ${known} より新しいものです。ソフトウェアを更新するか、更新前の写しを戻してください。`,

    nothing_to_move: (root) =>
      `${root} にセッションの記録がありません。--from にゲートのデータフォルダーを指定してください。`,
    target_not_empty: (table) =>
      `データベースは使われています（${table} が空ではありません）。2 つの状態を 1 つにはできません。新しいデータベースに移してください。`,
    altered_line: (place) =>
      `${place} に書き換えられた行があります。移す前に sekisho audit verify で調べてください。`,
    no_secret_yet:
      'sessions.db に、どの秘密で封じているかの記録がまだありません。この版のゲートをそのフォルダーで一度起動し、止めてください。',

    nothing_to_back_up: (root) =>
      `${root} には、ゲートが記録したものがありません。--data-dir でデータフォルダーを指定してください。`,
    backup_inside: (root) => `バックアップは、データフォルダー ${root} の外に作ってください。`,
    backup_not_empty: (dir) =>
      `${dir} が空ではありません。バックアップごとに別のフォルダーを指定してください。`,
    no_backup: (dir) =>
      `${dir} は、この版で読める完全なバックアップではありません（形式 1 の backup.json が必要です）。`,
    backup_damaged: (path) => `バックアップの ${path} が、壊れているか、ありません。`,
    backup_of_database:
      'バックアップにはデータベースが含まれています。SEKISHO_DATABASE_URL に、空のデータベースの URL を所有者のロールで指定してください。',
    backup_of_files:
      'バックアップにはデータベースが含まれていません。SEKISHO_DATABASE_URL を消すか、--data-dir でフォルダーを指定してください。',
    not_backed_up: (reason) => `データベースのバックアップを取れませんでした（${reason}）。`,
    backup_trail: (place, problem) => `バックアップの監査ログ（${place}）: ${problem}`,

    other_secret: (own, found) =>
      `SEKISHO_SECRET が、セッションを封じている秘密とは別のものです（指紋は ${own}、封じている秘密の指紋は ${found}）。このまま起動すると全員がログアウトされます。元の秘密を設定してください。秘密を入れ替えるときは、元の秘密のファイルを SEKISHO_SECRET_PREVIOUS_FILE に書いてください。`,
    other_secret_of_trail:
      'SEKISHO_SECRET が、監査ログに署名した秘密とは別のものです。このまま起動すると全員がログアウトされます。これまでゲートが使っていた秘密を設定してください。',
    altered_key: 'sekisho.secret にある監査ログの鍵が書き換えられています。',
    unwritable_secret: 'sekisho.secret に書き込めません。',
  },
  /** Problems of a trail. */
  trail: {
    no_line: '行が 1 つもありません。',
    head_missing: (head) =>
      `控えた head ${head} の行がありません。終わりの行が削られたか、古い監査ログです。`,
    noted_line_missing: (line) => `別のチェーンに記録された ${line} 行目がありません。`,
    other_key: 'この鍵で署名されていないものがあります。',
    other_file: 'ファイルの中身が、名前の示すものと違います。',
    file_missing: (file) => `1 つ前のファイル（${file} 番）がありません。`,
    file_cut: (line) =>
      `ハッシュチェーンの ${line} 行目がありません。1 つ前のファイルが途中で切られています。`,
    line_missing: (line) => `ハッシュチェーンの ${line} 行目がありません。`,
    replaced_before: '1 つ前の行が、書き換えられたか置き換えられています。',
    signed_line_rewritten: 'ハッシュ値に署名した行と違います。監査ログが書き直されています。',
    cut_short: '最後の行が途中で切れています。',
    altered: '行が書き換えられています。',
    no_signed_head: 'どこで終わるかを示す、署名された head がありません。',
    end_missing: (first, last, at) =>
      `終わりの ${first}〜${last} 行目がありません（${at} に署名された行です）。`,
    beginning_missing: (first, last) =>
      `始まりの ${first}〜${last} 行目がありません。消したという記録もありません。`,
    removed_lines_mismatch: '最初の行が、消した最後の行に続いていません。',
    first_line_late: (expected, first) =>
      `${expected} 行目から始まるはずが、${first} 行目から始まっています。`,
    rewrite_unannounced: '書き直した行とありますが、失われたことを示す行がありません。',
    missing_at_start: 'ゲートを起動したとき、この前の行がありませんでした。',
    not_whole: 'この前で失われた行が、すべては元のとおりに書き直されていません。',
    whole_trail: '監査ログ',
    signed_heads: '署名された head',
  },
}
