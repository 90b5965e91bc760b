import type { state as en } from '../en/state.ts'

export const state: typeof en = {
  agents_help: (dataDir) => `使い方: sekisho agents list
       sekisho agents revoke (--user EMAIL | --client ID | --id ID | --all)

list    どのエージェントとスクリプト用トークンが、誰の代わりに読めるかを表示する
revoke  許可を取り消す。動いているゲートも次の要求から従い、監査ログに残る

SEKISHO_DATABASE_URL があれば、--data-dir を指定しない限り、そのデータベースを扱います。

  --user EMAIL    このアドレスの人が与えたすべての許可
  --client ID     このクライアントのすべての許可（list が示す ID）
  --id ID         list が示す 1 つの許可
  --all           全員のすべての許可
${dataDir}
  --help          この説明を表示する`,
  agent_times: (since, until, used, calls) => `${since} から ${until} まで、最後の利用 ${used}、${calls} 回`,
  agent_token: 'トークン',
  grants: (grants) => `許可 ${grants} 件`,
  grant_ended: '取り消し',
  grants_ended: (grants) => `許可 ${grants} 件を取り消しました`,
  sessions_help: (dataDir) => `使い方: sekisho sessions list
       sekisho sessions revoke (--user EMAIL | --id ID | --all)
       sekisho sessions unbind --user EMAIL

list    ログインしている人を表示する
revoke  セッションを終わらせる。動いているゲートも 1 秒以内に従い、監査ログに残る
unbind  アドレスを別の Google アカウントで使えるようにする（アドレスは最初に使ったアカウントのもの）。
        データベースでは所有者のロールが必要で、ゲートのロールではできない

SEKISHO_DATABASE_URL があれば、--data-dir を指定しない限り、そのデータベースを扱います。

  --user EMAIL    このアドレスのすべてのセッション
  --id ID         list が示す 1 つのセッション
  --all           全員
${dataDir}
  --help          この説明を表示する`,
  store_busy:
    'ほかのプロセスが 1 分のあいだ書き込みを続けています。ディスクの同期が終わらないことがおもな原因です。表示した分は完了していて、それ以外は行っていません。もう一度実行してください',
  session_store_not_found: (root) =>
    `${root} にセッションの記録がありません。--data-dir でフォルダーを指定するか、SEKISHO_DATABASE_URL を設定してください`,
  since_last_seen: (started, seen) => `${started} から、最後の利用 ${seen}`,
  session: (sessions) => `セッション ${sessions} 件`,
  ended: '終了',
  count_ended: 'を終わらせました',
  address_released: (email) => `${email} は、次にログインするアカウントのものになります`,
  address_not_bound: (email) => `${email} はどのアカウントにも結び付いていません`,
  migrate_help: (
    gateGrants,
    operatorGrants,
  ) => `使い方: sekisho migrate [--grant ROLE] [--grant-operator ROLE]
       sekisho migrate --from DIR

SEKISHO_DATABASE_URL（または SEKISHO_DATABASE_URL_FILE）のデータベースにスキーマを作るか、最新にします。この版のゲートを
起動する前に、スキーマを作れるロールで実行してください。2 回、または 2 か所から同時に実行しても害はありません。
すでに許したロールには、新しい表の権限も与えます。1 つ前の版のゲートは、更新の間も動き、再起動もできます。

  --grant ROLE           ゲートに必要なことだけを、このロールに許す:
${gateGrants.map((grant) => `                           GRANT ${grant}`).join('\n')}
  --grant-operator ROLE  運用のコマンド（sessions、tokens、audit）に必要なことだけを、ゲートとは別のこのロールに許す:
${operatorGrants.map((grant) => `                           GRANT ${grant}`).join('\n')}
  --from DIR             続けて、このデータフォルダーにゲートが記録したものを、空のデータベースに移す。セッション、アカウント、
                         エージェントへの許可、公開のトークン、検索の記録、監査ログ（ハッシュチェーンと鍵もそのまま）。ゲートを止め、同じ
                         SEKISHO_SECRET で実行する。全部移るか、何も移らないかのどちらかなので、中断したらもう一度実行する。
                         リリース、プレビュー、ページへの評価はフォルダーに残り、ゲートはそれを使い続ける
  --help                 この説明を表示する`,
  backup_help: (dataDir) => `使い方: sekisho backup DIR [--data-dir DIR]

ゲートが保存するものを、ゲートを動かしたまま、空のフォルダーに写します。セッション、公開用トークン、監査ログとその鍵、リリース、
検索と評価の記録が対象です。SEKISHO_DATABASE_URL（所有者の URL）があれば、データベースのすべての行も、同じ時点のまま写します。
リンクはたどります。SEKISHO_SECRET にはゲートと同じものを設定します。照合だけして写さないため、別の場所に保管してください。
シークレットと組み合わせると読者になれるため、写しはゲートと同じように守ってください。

${dataDir}
  --help          この説明を表示する`,
  restore_help: (
    dataDir,
  ) => `使い方: sekisho restore DIR [--expect-head ハッシュ値] [--dry-run] [--data-dir DIR]

ゲートを止めて、バックアップを戻します。先に、シークレット、すべてのファイル、データベース、監査ログを検査します。いまの内容は、同じ
フォルダーの中に取り置きます。データベースは空でなければなりません。

  --expect-head 値    別の場所に残したログの、最後の audit_head（複数指定できる）
  --dry-run           一時フォルダーと、取り消すトランザクションの中ですべて行う（訓練用。かかった時間を表示する）
${dataDir}
  --help              この説明を表示する`,
  backup_chain: (chain, seq, hash) => `  ${chain}: ${seq} 行目、最後のハッシュ値（head）${hash}`,
  backup_written: (dir, files, seconds) => `${dir} に ${files} 個のファイルを ${seconds} 秒で写しました。`,
  restored: (files, rows, seconds) =>
    `ファイル ${files} 個と、データベースの ${rows} 行を、${seconds} 秒で戻しました。`,
  restore_tried: (files, rows, seconds) =>
    `このバックアップは戻せます（ファイル ${files} 個、データベース ${rows} 行、${seconds} 秒）。何も変更していません。`,
  restore_aside: (dir) => `それまでの内容は ${dir} にあります。ゲートが配信を始めたら消してください。`,
  rows_moved: (table, rows) => `${table.padEnd(14)} ${rows}`,
  state_moved: (root) =>
    `${root} から移しました。フォルダーは元のままです。SEKISHO_DATABASE_URL を設定してゲートを起動し、sekisho audit verify を実行してください`,
  set_sekisho_database:
    'SEKISHO_DATABASE_URL を設定してください。データベースがなければ、することはありません',
  schema_current: (to) => `スキーマはすでに第 ${to} 版です。`,
  schema_migrated: (to) => `スキーマを第 ${to} 版にしました。`,
}
