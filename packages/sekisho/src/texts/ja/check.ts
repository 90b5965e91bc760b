import type { check as en } from '../en/check.ts'

export const check: typeof en = {
  saw_installed: (version, node, platform) =>
    `バージョン    sekisho ${version}、Node ${node}、${platform} で実行中`,
  saw_site: (version) => `サイト        Docusaurus ${version}`,
  saw_no_site: 'サイト        ここにはありません',
  saw_release: (id) => `リリース      ${id}`,
  saw_no_release: 'リリース      データフォルダーにはありません',
  saw_port: (port) => `ポート        ${port}`,
  next_choose:
    'これらは、ほかの人に公開するゲートの設定です。このマシンで試すには、sekisho demo、Docusaurus のサイトでの sekisho init、sekisho pack DIR のどれかを実行します。',
  next_start:
    'これらは、ほかの人に公開するゲートの設定です。このマシンだけなら設定は要りません。sekisho start を実行します。',
  next_serve_local:
    'これらは、ほかの人に公開するゲートの設定です。このマシンだけなら設定は要りません。sekisho serve --local を実行します。',
  saw_origin: (origin) => `アドレス      ${origin}`,
  saw_listening: (host, port) => `待ち受け      ${host}:${port}`,
  saw_running: (pid) => `動作中        このゲートはすでに動いています（プロセス ${pid}）`,
  saw_data: (folder, freeGb) => `データ        ${folder}（空き ${freeGb} GB）`,
  saw_trail: (gb, yearlyGb) => `監査ログ      ${gb} GB。これまでの速さで 1 年に ${yearlyGb} GB 増えます`,
  saw_identity: (names) => `認証          ${names || '未設定'}`,
  saw_policy_file: (file) => `読める人      ${file} のとおり`,
  saw_policy: (whom) => `読める人      ${whom}`,
  saw_grant: (grant, risk) => `許可          ${grant}: ${risk}`,
  saw_notices: (to) =>
    `通知          ${to.length === 0 ? 'なし（Webhook もメールサーバーも未設定）' : `${to.join('、')} へ。sekisho notices test で試せます`}`,
  saw_queue: ({ waiting, failing, dropped }) =>
    `              送信待ち ${waiting} 件（うち送信に失敗して待つもの ${failing} 件）、届けられなかったもの ${dropped} 件（100 日以内）`,
  saw_accepted: (risk) => `許容したリスク ${risk}`,
  saw_renamed: (warning) => `名前の変更    ${warning}`,
  saw_database: (role, version, free) =>
    `データベース  ロール ${role}、スキーマ第 ${version} 版、空き接続 ${free} 本`,
  saw_bucket: (place) => `バケット      ${place} は渡したものを保ち、条件に合わない書き込みを断ります`,
  saw_issuer: (issuer, keys) => `認証サービス  ${issuer} から応答がありました（鍵 ${keys} 個）`,
  saw_model: (host, model, firstMs, wholeMs, tokens) =>
    `回答        ${host} の ${model}：最初の言葉まで ${firstMs} ミリ秒、試しの質問に ${wholeMs} ミリ秒、${tokens} トークン。質問ごとに送るのは、質問と、読者が読めるページの抜粋（6,000 トークンまで）と、同じタブでの前の質問です。文で書かれた検索では、その文を送ります。名前、アドレス、セッションは送りません`,
  saw_rewriter: (host, model, firstMs, wholeMs, tokens) =>
    `言い換え    ${host} の ${model}：最初の言葉まで ${firstMs} ミリ秒、試しの質問に ${wholeMs} ミリ秒、${tokens} トークン。送るのは、文で書かれた検索の文だけです。ページ、名前、アドレス、セッションは送りません`,
  model_silent: (host) =>
    `${host} のモデルの応答に言葉がありませんでした。SEKISHO_ANSWERS_MODEL を確かめてください。`,
  model_failed: (host, reason) =>
    `${host} のモデルが試しの質問に応答しませんでした（${reason}）。SEKISHO_ANSWERS_URL、_MODEL、_KEY_FILE、_AUTH を確かめてください。`,

  database_tls: (problem) => `SEKISHO_DATABASE_URL のデータベースへの TLS 接続に失敗しました。${problem}`,
  database_unreachable: (reason) =>
    `SEKISHO_DATABASE_URL のデータベースに接続できません（${reason}）。ホスト、ポート、ロール、パスワードと、ファイアウォールがこのマシンを通すかを確認してください。`,
  database_has_no_schema: () =>
    'このロールが読める Sekisho のスキーマがデータベースにありません。スキーマの所有者で sekisho migrate --grant ロール を実行してください。',
  database_schema_old: (version, needed) =>
    `データベースのスキーマは第 ${version} 版ですが、第 ${needed} 版が必要です。スキーマの所有者で sekisho migrate を実行してください。`,
  database_schema_new: (version, known) =>
    `データベースのスキーマは第 ${version} 版ですが、このソフトウェアが知っているのは第 ${known} 版までです。ソフトウェアを更新してください。`,
  database_superuser: (role) =>
    `ロール ${role} はデータベースのスーパーユーザーです。ゲートに侵入した人が監査ログを書き換えられます。ゲート用のロールを作り、所有者で sekisho migrate --grant ロール を実行してください。`,
  database_owner: (role) =>
    `ロール ${role} は表の所有者なので、ゲートが監査ログを書き換えられます。ゲート専用のロールを作り、${role} で sekisho migrate --grant ロール を実行してください。`,
  database_rights_missing: (role, rights) =>
    `ロール ${role} に、データベースの権限が足りません（${rights}）。所有者で sekisho migrate --grant ${role} を実行してください。`,
  database_rights_excess: (role, rights) =>
    `ロール ${role} に、ゲートに要らない権限があります（${rights}）。REVOKE で取り上げてください。`,
  database_full: (free, needed) =>
    `データベースの空き接続は ${free} 本ですが、ゲート 1 台が最大 ${needed} 本を使います。max_connections を増やしてください。`,

  bucket_trying: (place) => `試行中        ${place}`,
  bucket_none: () => 'SEKISHO_RELEASES がバケットを示していません。',
  bucket_create: () =>
    'このバケットは使えません。書き込みの If-None-Match を無視するため、ある人の公開を別の人の公開が上書きします。条件付き書き込みのできるバケットにしてください。',
  bucket_swap: () =>
    'このバケットは使えません。書き込みの If-Match を無視するため、同時の公開で、あとの公開が先の公開を知らずに取り消します。条件付き書き込みのできるバケットにしてください。',
  bucket_both: () =>
    'このバケットは使えません。同じ If-Match での同時の書き込みを、両方受け付けるか、両方断りました。条件付き書き込みのできるバケットにしてください。',
  bucket_read: () =>
    'このバケットは使えません。読み取りの If-None-Match を無視するため、見るたびに新しいリリースと取り違えます。',
  bucket_hash: () =>
    'このバケットは使えません。渡したものの SHA-256 を確かめないため、途中で壊れたファイルに気づけません。',
  bucket_etag: () =>
    'このバケットは使えません。内容とともに変わる ETag を返さないため、条件付き要求が正しく働きません。',
  bucket_list: () =>
    'このバケットは使えません。書いたばかりのものが一覧にありません。強い整合性のあるバケットにしてください。',
  bucket_gone: () => 'このバケットは使えません。消したものがまだ読めます。',
  bucket_open: () =>
    'このバケットは使えません。署名なしで誰でも読めます。公開する前に、パブリックアクセスをブロックしてください。',
  bucket_read_only: () =>
    'この認証情報ではバケットに書けないので、このゲートを通した公開（SEKISHO_PUBLISH_RULES_FILE）ができません。プレフィックス以下の s3:PutObject と s3:DeleteObject を許すか、ルールの設定を消してください。',
  bucket_may_not_write: () =>
    'この認証情報は、バケットを読めますが書けません。ゲートとしてはこれで合っています。条件付き書き込みは試していません。',

  probe_help: `使い方: sekisho probe --url ORIGIN [--token-file FILE [--page PATH]] [--issuer ISSUER …] [--json]

動いているゲートを読者の経路で確かめます。ヘルス、ログインページ、OpenID の各認証サービスへのログインの開始、指定した発行者の
文書と鍵、アカウントページで作った個人用トークンによるページの閲覧です。すべて正常なら 0、異常があれば 1、オプションの誤りなら
2 で終わります。パスワードは使いません。ログインは認証サービスのページの手前までです。

  --url ORIGIN        ポータル。例: https://docs.example.co.jp
  --token-file FILE   個人用トークンのファイル。なければページは読まない
  --page PATH         読むページ（既定: /）
  --issuer ISSUER     鍵を公開しているはずの OpenID の発行者。このマシンから確かめる。何度でも指定できる
  --json              1 つの JSON オブジェクトで出力する。ok と、各項目の name、ok、ms、problem
  --help              この説明を表示する`,
  probe_needs:
    '--url にはポータルの https のアドレス、--issuer には URL、--page には / で始まるパスを指定してください。',
  probe_no_token: (file) => `${file} に個人用トークンがありません。`,
  probe_status: (status) => `ステータス ${status}`,
  probe_health: (status) =>
    `ゲートの状態は ${status} です。どの部分かは、ログとメトリクスのポートで分かります。`,
  probe_no_login: (status) => `ログインページではなく、ステータス ${status} の応答がありました。`,
  probe_no_provider:
    'ログインページにログインの方法がありません。どの設定が誤っているかは、ログで分かります。',
  probe_start: (status) => `ゲートが読者を認証サービスに送れません（ステータス ${status}）。`,
  probe_token_refused: (host) =>
    `${host} がトークンを受け付けません。失効したか、元のログインが終わったか、ポリシーがこのアカウントを許可していません。`,
  probe_too_long: '応答が長すぎます。',
  issuer_tls: (issuer, problem) => `${issuer} への TLS 接続に失敗しました。${problem}`,
  issuer_unreachable: (issuer, reason) =>
    `${issuer} に接続できません（${reason}）。このマシンからの https の接続を許可してください。`,
  issuer_unreachable_by_proxy: (issuer, reason) =>
    `${issuer} に接続できません（${reason}）。HTTPS_PROXY が設定されていますが、使われていません。Node で使うには NODE_USE_ENV_PROXY=1 も設定してください。`,
  issuer_name_differs: (issuer, name) =>
    `${issuer} は自分を ${name} と名乗っています。SEKISHO_OIDC_ISSUER をこのとおりに設定してください。`,
  issuer_no_keys: (issuer) =>
    `${issuer} は、トークンを確かめるための鍵（jwks_uri）を公開していません。OpenID の認証サービスのアドレスか確認してください。`,

  clock_differs: (source, seconds, isAhead) =>
    `このマシンの時計は、${source} より ${seconds} 秒${isAhead ? '進んで' : '遅れて'}います。ログインが断られます。chrony や systemd-timesyncd で合わせてください。`,
  host_unknown: (host) =>
    `SEKISHO_HOST=${host} は、このマシンのアドレスではありません。127.0.0.1、0.0.0.0、またはこのマシンにあるアドレスを書いてください。`,
  port_taken: (setting, port) =>
    `ポート ${port}（${setting}）は使われています。使っているものを止めるか、別の番号にしてください。`,
  port_taken_by: (setting, port, program, pid) =>
    `ポート ${port}（${setting}）は、${program}（プロセス ${pid}）が使っています。止めるか、別の番号にしてください。`,
  port_refused: (setting, port) =>
    `ポート ${port}（${setting}）は、このユーザーでは開けません。1024 以上の番号にするか、サービスマネージャーに開かせてください。`,
  data_folder_taken: (folder) =>
    `${folder} は、別のゲートが使っています。止めるか、SEKISHO_DATA_DIR をこのゲート専用のフォルダーにしてください。`,
  data_folder_unusable: (folder, reason) =>
    `データフォルダー ${folder} を使えません（${reason}）。このユーザーが所有し、書けるフォルダーにしてください。`,
  file_readable: (what, path, mode) =>
    `${what}: ${path} を、このマシンの誰もが読めます（モード ${mode}）。chmod 0400 ${path} を実行し、ゲートを動かすユーザーの所有にしてください。`,
  disk_small: (folder, freeGb, neededGb) =>
    `${folder} の空きは ${freeGb} GB ですが、SEKISHO_AUDIT_KEEP で消えるまでに監査ログがあと ${neededGb} GB 増えます。ディスクを大きくするか、期間を短くしてください。`,
  disk_almost_full: (folder, freeGb) =>
    `${folder} の空きは ${freeGb} GB です。監査ログを書けないと誰にも配信できません。空きを作ってください。`,
  check_help: (dataDir, settings) => `使い方: sekisho check [--local] [--offline] [--json] [--data-dir DIR]
       sekisho check --bucket
       sekisho check --prose [--site DIR]
       sekisho check --browser [--pages N] [--data-dir DIR]
       sekisho check --freshness [--json] [--data-dir DIR]
       sekisho check --links [--json] [--data-dir DIR]

設定を sekisho serve と同じように読み、データベース、バケット、認証サービス、時計、ディスク、ポートを実際に確かめて、
直すべきところをすべて表示します。何も起動しません。

  --local   このマシンだけで使うときの設定を調べる
  --offline 設定とファイルだけを調べ、どこにも接続しない
  --json    報告に貼れる JSON を 1 つ出力する。バージョン、設定の名前、問題のコードだけで、値、パス、アドレスは含まない
  --bucket  SEKISHO_RELEASES の示す場所を、あとで消す専用の名前の下で試す。渡したものを保つか、条件に合わない
            書き込みを断るか、知らない相手を断るか
  --prose   サイトのページを textlint に読ませる。規則は .textlintrc.json、なければ日本語の技術文書のもの
  --site DIR  Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
  --browser リリースのページをこのマシンの Chromium（Chrome、Edge）で開き、動いている間に止められたものを表示する
  --pages N   開くページの数（既定 40。サイト全体から均等に選ぶ）
  --freshness 配信中のリリースで見直しの期限を過ぎたページを、担当ごとに、読者と回答の多い順（180 日間。同じなら
            長く過ぎた順）に、原文が後から変更された翻訳を言語ごとに表示し、あれば 1 で終わる。
            --json ではパス、タイトル、担当、日付、利用数を出力する
  --links   配信中のリリースの切れたリンクを担当ごとに表示し、あれば 1 で終わる。ページと見出しは、以前のリリースにあった
            ことと現在のアドレスも示す。ほかのサイトのアドレスは、このマシンから問い合わせる
${dataDir}
  --help    この説明を表示する

設定:
${settings}`,
  check_passed: '✔ 設定に誤りはありません。',
  wrong_pages: (max) => `--pages は 1 から ${max} までの数で指定してください。`,
  no_browser:
    'このマシンに Chromium、Chrome、Edge が見つかりません。入れるか、CHROME_PATH で場所を指定してください。',
  // 見直し
  all_fresh: '✔ 見直しの期限を過ぎたページも、原文より古い翻訳もありません。',
  overdue_of: (owner, pages) => `${owner}: 期限超過 ${pages} ページ`,
  overdue_of_none: (pages) => `（担当なし）: 期限超過 ${pages} ページ`,
  overdue_page: (path, title, due, days) => `${path}  ${title}：期限は ${due}（${days} 日超過）`,
  behind_in: (lang, pages) => `翻訳（${lang}）: 原文より古い ${pages} ページ`,
  behind_page: (path, title, behind) => `${path}  ${title}：原文の変更 ${behind} 回`,
  link_none: (asked) =>
    `✔ ページと見出しへの切れたリンクはありません。ほかのサイトのアドレス ${asked} 件も、なくなっていません。`,
  link_unasked: (addresses) => `ほかのサイトのアドレスのうち ${addresses} 件は、確かめていません。`,
  link_owner: (owner, links) => `${owner || '（担当なし）'}: 切れたリンク ${links} 件`,
  link_broken: (path, title, target, { until, since, now }) =>
    `${path}  ${title}：${target} がありません${since === null ? '' : `（${since} から）`}${until === null ? '' : `。${until} まではありました`}${now === null ? '' : `。現在は ${now} です`}`,
  // 読者
  editions_incomparable: (who, gets, lacks) =>
    `${who} はエディション ${gets} と ${lacks} のどちらも読めますが、互いにないページがあり、受け取るのは ${gets} だけです。sekisho.editions.json で、両方の audiences を持つエディションをその前に置いてください。`,
  groups_incomplete: (accounts) =>
    `ログイン中の ${accounts} アカウントについて、認証サービスがグループのすべてを伝えていません（Entra ID は 200 を超えるとき、Okta は 100 から）。どのグループにも属さないものとして扱っています。アプリケーションにグループを割り当てるか、アプリロールを使うか、フィルターで絞ってください。`,

  nothing_to_open: '開くリリースがありません。sekisho build か sekisho pack を先に実行してください。',
  browser_failed: (why) =>
    `ブラウザーを使えませんでした（${why}）。CHROME_PATH で別のものを指定してください。`,
  opened: (opened, all, refused) =>
    `${all} ページのうち ${opened} ページを開きました。${refused === 0 ? '止められたものはありません。' : `止められたものは ${refused} 種類です。`}`,
}
