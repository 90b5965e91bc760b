import type { problems as en } from '../en/problems.ts'

export const problems: typeof en = {
  unknown_setting: (name) => `${name} という設定はありません。名前のつづりを確認するか、消してください。`,
  renamed_setting: (earlier, name) =>
    `${earlier} の名前は ${name} に変わりました。前の名前は、次のマイナーバージョンまで使えます。`,
  bad_port: (name) => `${name} には 0～65535 のポート番号を書いてください。`,
  bad_count: (name, min, max) => `${name} には ${min}～${max} の整数を書いてください。`,
  too_short: (name, least) => `${name} は ${least} 以上にしてください。それより短いと意味がありません。`,
  duration_too_long: (name, most) =>
    `${name} は ${most} 以下にしてください。それより長いと意味がありません。`,
  bad_listen_host: (name, host) =>
    `${name}=${host} は、アドレスでもホスト名でもありません。127.0.0.1、0.0.0.0、またはこのマシンのアドレスを書いてください。`,
  same_port: (port) =>
    `SEKISHO_PORT と SEKISHO_METRICS_PORT がどちらも ${port} です。計測値のポートを別の番号にしてください。`,
  clear_embeddings: (host) =>
    `SEKISHO_EMBEDDINGS_URL は https のアドレスにしてください。${host} は別のマシンなので、途中で読み取れる人に読者の検索語を見られます。`,
  clear_database: (host) =>
    `SEKISHO_DATABASE_URL が sslmode=disable ですが、${host} は別のマシンです。通信を盗聴されると、セッションを読まれ、書き換えられます。sslmode=verify-full にしてください。`,
  proxy_elsewhere: (host) =>
    `SEKISHO_HOST=${host} に接続できるのはこのマシンだけですが、SEKISHO_TRUSTED_PROXIES に 127.0.0.1 がありません。全員がプロキシのアドレスに見え、1 人の大量のアクセスで全員が締め出されます。`,
  bad_duration: (name) => `${name} には、90s、5m、12h、7d のような時間を書いてください。`,
  risky_short: (name, shortest, harm) => `${name} は ${shortest} 以上にしてください。${harm}`,
  too_long: (name, longest, harm) => `${name} は ${longest} 以下にしてください。${harm}`,
  unreadable_file: (name) => `${name} が示すファイルを読めません。場所と権限を確認してください。`,
  setting: (name, problem) => `${name}: ${problem}`,

  bad_origin:
    'SEKISHO_ORIGIN には、https://docs.example.com のように、パスのない https の URL を書いてください。',
  bad_local_origin: '--local では、SEKISHO_ORIGIN をループバックの http の URL にしてください。',
  local_in_production: 'NODE_ENV=production では --local を使えません。',
  local_off_loopback: '--local では、SEKISHO_HOST をループバックアドレス（127.0.0.1 など）にしてください。',
  emulator: (name) => `${name} が設定されています。本番ではエミュレーターを使えません。消してください。`,
  bad_time_zone: 'SEKISHO_TIME_ZONE には Asia/Tokyo のようなタイムゾーンの名前を書いてください。',
  idle_beyond_absolute: 'SEKISHO_SESSION_IDLE は、SEKISHO_SESSION_ABSOLUTE 以下にしてください。',
  short_secret: (minChars) =>
    `SEKISHO_SECRET（または SEKISHO_SECRET_FILE のファイル）は ${minChars} 文字以上にしてください。openssl rand -base64 33 で作れます。`,
  bad_previous_secret: (minChars) =>
    `SEKISHO_SECRET_PREVIOUS_FILE のファイルには、これまで使っていた ${minChars} 文字以上の秘密（SEKISHO_SECRET とは別のもの）を書いてください。`,
  needs: (name, other) => `${name} は、${other} がないと働きません。`,
  metrics_public: (host) =>
    `SEKISHO_METRICS_HOST=${host} では、届く人なら誰でも計測値を読めます。SEKISHO_METRICS_NETWORKS か SEKISHO_METRICS_TOKEN_FILE を設定してください。`,
  short_metrics_token: (minChars) =>
    `SEKISHO_METRICS_TOKEN_FILE のファイルは、空白のない ${minChars} 文字以上にしてください。openssl rand -hex 32 で作れます。`,
  every_address: (entry) => `${entry} は、すべてのアドレスを含みます。`,
  bad_agent_client: (entry) =>
    `SEKISHO_AGENT_CLIENTS の ${entry} は、gemini=http://localhost:7777/oauth/callback のような「ID=送り先」の組ではありません。送り先は https か、localhost・127.0.0.1・[::1] の http にしてください。`,
  bad_agent_allowed: (entry) =>
    `SEKISHO_AGENT_ALLOW の ${entry} は、claude.ai のようなホスト名でも、クライアントの文書の https アドレス全体でも、registered という語でもありません。`,

  bad_database_url: (setting) =>
    `${setting} には、postgres://gate@db.example.com/sekisho?sslmode=verify-full のような URL を書いてください。`,
  unsafe_database_url: (setting) =>
    `${setting} に sslmode=verify-full を付けてください。盗聴されるおそれのない接続に限り、sslmode=disable にできます。`,
  standby_database_url: (setting) =>
    `${setting} の target_session_attrs は、read-write にするか、消してください。ゲートは書き込むため、スタンバイは使えません。`,
  bad_database_hosts: (setting) =>
    `${setting} には、サーバーを 1 台か、コンマで区切って 9 台まで、postgres://gate@db-1.example.com,db-2.example.com/sekisho のように書いてください。複数のサーバーを host= や port= には書けません。`,
  listen_url_alone:
    'SEKISHO_DATABASE_LISTEN_URL は、SEKISHO_DATABASE_URL が接続プーラーを指すときの設定です。両方を設定するか、URL を SEKISHO_DATABASE_URL に移してください。',
  bad_answers_url:
    'SEKISHO_ANSWERS_URL には、/chat/completions で終わる https のアドレスを、ユーザー名、パスワード、フラグメントなしで指定してください。http にできるのは、ループバックと SEKISHO_ANSWERS_PRIVATE_HOSTS に書いたホストだけです。',
  no_answers_model:
    'SEKISHO_ANSWERS_URL には SEKISHO_ANSWERS_MODEL が必要です。エンドポイントでのモデルの名前を指定してください。',
  bad_notices_webhook:
    'SEKISHO_NOTICES_WEBHOOK には、ユーザー名とフラグメントのない https のアドレスを指定してください。http は、SEKISHO_NOTICES_PRIVATE_HOSTS に書いたホストだけで使えます。',
  bad_notices_key:
    'SEKISHO_NOTICES_KEY_FILE のファイルには、whsec_ に続けて 24 バイト以上の乱数を base64 で書いてください。json 形式では必須です。echo "whsec_$(openssl rand -base64 32)" で作れます。',
  bad_notices_smtp:
    'SEKISHO_NOTICES_SMTP には、smtps://ユーザー:パスワード@ホスト:465 か smtp://ホスト:587 のように、パスのないアドレスを指定してください。',
  bad_notices_from:
    'SEKISHO_NOTICES_SMTP には SEKISHO_NOTICES_FROM が必要です。送信元のメールアドレスを 1 つ指定してください。',
  bad_notices_owner: (entry) =>
    `SEKISHO_NOTICES_OWNERS の ${entry} は、payments=payments@example.co.jp のような、担当とメールアドレスの組になっていません。`,
  bad_answers_key: 'SEKISHO_ANSWERS_KEY_FILE のファイルには、キーだけを ASCII の 1 行で書いてください。',
  bad_embeddings_url:
    'SEKISHO_EMBEDDINGS_URL には、https://ai.example.com/v1/embeddings のような http または https のアドレスを、ユーザー名とパスワードなしで指定してください。',
  bad_releases:
    'SEKISHO_RELEASES には、s3://BUCKET/PREFIX?endpoint=https://…&region=… の形か、フォルダーの絶対パスを書いてください。',
  unsafe_endpoint:
    'SEKISHO_RELEASES の endpoint は https の URL にしてください。読者が読めるものがすべて通るためです。',
  no_bucket_key:
    'SEKISHO_RELEASES がバケットを示しています。AWS_ACCESS_KEY_ID と AWS_SECRET_ACCESS_KEY（または読めるファイルを示す …_FILE）を設定してください。',

  unknown_risk: (name, known) =>
    `SEKISHO_ACCEPT_RISKS の ${name} は使えません。使えるのは ${known.join('、')} です。`,
  risks_not_accepted: (codes) =>
    `このままではゲートは起動しません。承知のうえなら SEKISHO_ACCEPT_RISKS=${codes.join(',')} を設定してください。`,
  no_proxy: (host) =>
    `SEKISHO_TRUSTED_PROXIES に、${host} の https を受けるプロキシのアドレスを書いてください。ないと、全員が同じアドレスに見え、1 人の大量のアクセスで全員が締め出されます。`,
  origin_label: 'SEKISHO_ORIGIN',
  wide_proxies: (block) =>
    `SEKISHO_TRUSTED_PROXIES に ${block} は書けません。その中の誰もがアドレスを偽れます。プロキシのアドレスだけを書いてください。`,
  public_mail: (domain) =>
    `${domain} は誰でも使えるメールサービスなので、誰でもログインできてしまいます。アドレスを 1 つずつ（SEKISHO_ALLOWED_EMAILS、またはポリシーファイルの "emails" に）書いてください。`,
  unchecked_tls:
    'NODE_TLS_REJECT_UNAUTHORIZED=0 では、ネットワークの誰もが認証サービスになりすませます。消してください。独自の認証局は NODE_EXTRA_CA_CERTS で指定できます。',
  harm_of_interval: '長いと、無効にしたアカウントがその間も読み続けられます。',
  harm_of_grace: '長いと、認証サービスが止まっている間、アカウントをそれだけ確認できません。',
  harm_of_idle: '長いと、使われていないブラウザーがその間もログインしたままになります。',
  risk_absolute: '長いと、盗まれたセッションがその間も使えます。',
  harm_of_short_interval:
    '短いと、認証サービスに読者全員を頻繁に問い合わせることになり、回数の上限で断られます。',
  harm_of_short_grace: '短いと、認証サービスが少し止まっただけで、全員が読めなくなります。',
  harm_of_short_idle: '短いと、1 ページを読んでいる間にログアウトされます。',

  policy_admits_none:
    '誰もログインできません。SEKISHO_ALLOWED_DOMAINS、SEKISHO_ALLOWED_EMAILS、SEKISHO_POLICY_FILE のどれかを設定してください。',
  policy: (problem) => `アクセスポリシーを直してください。${problem}`,
  policy_text: (problem) => `ポリシーのファイル: ${problem}`,
  policy_no_object: 'ポリシーが JSON のオブジェクトになっていません。',
  policy_unknown_key: (key) => `${key} というキーは使えません。`,
  policy_no_lists: '"domains" と "emails" は、文字列の配列にしてください。',
  policy_no_groups: '"groups" には、グループの名前ごとに文字列の配列を書いてください。',
  policy_no_viewing: '"viewingAs" には、グループの名前の配列を書いてください。',
  policy_empty: 'このポリシーでは、誰もログインできません。',
  no_domain: (text) => `${text} はドメインではありません。`,
  no_address: (text) => `${text} はメールアドレスではありません。`,
  no_group: (name) =>
    `${name} はグループの名前に使えません。英小文字、数字、ハイフンで 40 文字までにしてください。`,
  no_viewing_group: (name) => `viewingAs の ${name} は、ポリシーの groups にありません。`,
  no_rule: (rule) => `${rule} はポリシーのルールではありません。`,

  bad_issuer: '末尾に / のない https の URL にしてください。',
  no_repository:
    'repository_id（GitHub）か project_id（GitLab）のどちらか一方を、名前ではなく番号で書いてください。',
  number_in_quotes: '引用符で囲んだ番号にしてください。',
  whole_ref: 'refs/heads/main のような完全な ref にしてください。',
  no_right: (known) => `${known.join('、')} の少なくとも 1 つを書いてください。`,
  wide_ref: '末尾の * はプレビューにだけ使えます。公開する ref を書いてください。',
}
