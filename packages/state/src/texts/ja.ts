import type { en } from './en.ts'

export const ja: typeof en = {
  problems: {
    database_unreachable: (setting, reason) => `${setting} のデータベースに接続できません（${reason}）。`,
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

    other_secret: (own, found) =>
      `SEKISHO_SECRET が、セッションを封じている秘密とは別のものです（指紋は ${own}、封じている秘密の指紋は ${found}）。このまま起動すると全員がログアウトされます。元の秘密を設定してください。秘密を入れ替えるときは、元の秘密のファイルを SEKISHO_SECRET_PREVIOUS_FILE に書いてください。`,
    other_secret_of_trail:
      'SEKISHO_SECRET が、監査ログに署名した秘密とは別のものです。このまま起動すると全員がログアウトされます。これまでゲートが使っていた秘密を設定してください。',
    altered_key: 'sekisho.secret にある監査ログの鍵が書き換えられています。',
    unwritable_secret: 'sekisho.secret に書き込めません。',
  },
}
