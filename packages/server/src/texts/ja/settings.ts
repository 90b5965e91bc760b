import type { settings as en } from '../en/settings.ts'

/** Meaning of each setting, in Japanese. */
export const settings: typeof en = {
  SEKISHO_ORIGIN:
    '読者が使うただ 1 つのアドレス。`https://docs.example.co.jp` のように、パスを付けずに書きます。フィードと正規 URL に使うため、`sekisho build` のときにも設定します',
  SEKISHO_HOST: '待ち受けるアドレス',
  SEKISHO_PORT: '待ち受けるポート。`PORT` も使えます',
  SEKISHO_TRUSTED_PROXIES: '`X-Forwarded-For` を信用するプロキシのアドレスまたは CIDR',
  SEKISHO_KEEP_ALIVE: '次の要求を待つ間、接続を開いておく時間。前に置くプロキシの設定より長くします',
  SEKISHO_STOP_WITHIN:
    '停止の合図（SIGTERM）から強制終了までの猶予。半分を処理中の応答に使い、終わりの 3 秒前に、応答しないものを待つのをやめます',
  SEKISHO_ACCEPT_RISKS:
    '危険な設定のまま起動するときに、`sekisho serve` が示す名前を書きます（`no-proxy`、`wide-proxies`、`public-mail`、`unchecked-tls`、`clear-database`、`clear-embeddings`）',
  SEKISHO_NETWORKS:
    'ネットワークの名前。`本社=192.0.2.0/24,VPN=10.0.0.0/8` のように書くと、読者は自分のセッションがどこで開かれたかを確認できます',
  SEKISHO_DATA_DIR: 'リリース、セッション、監査ログを保存するデータフォルダー。ゲートごとに分けます',
  SEKISHO_SECRET:
    '保存するリフレッシュトークンの暗号化に使うシークレット。32 文字以上。本番では、次の設定でファイルに置きます',
  SEKISHO_SECRET_FILE: '秘密を書いたファイル',
  SEKISHO_SECRET_PREVIOUS_FILE: '秘密を替えている間、前の秘密を書いたファイル。セッションはそのまま続きます',
  SEKISHO_DATABASE_URL:
    '複数のゲートで共有する PostgreSQL（15 以上）。`postgres://gate:…@db.example.com/sekisho?sslmode=verify-full` のように書きます。先に、スキーマの所有者で `sekisho migrate --grant gate` を実行します。設定しなければ、データフォルダーのファイルに保存します',
  SEKISHO_DATABASE_URL_FILE: 'この URL を書いたファイル',
  SEKISHO_DATABASE_LISTEN_URL:
    '`SEKISHO_DATABASE_URL` がトランザクション単位のプーラー（pgbouncer）を指すときの、データベースそのものの URL。コマンドもこれを使います',
  SEKISHO_DATABASE_LISTEN_URL_FILE: 'その URL を書いたファイル',
  SEKISHO_RELEASES:
    '複数のマシンで使うときに、リリースを公開する場所。`s3://バケット/プレフィックス?endpoint=URL&region=名前`、または共有フォルダーの絶対パス。ゲートは配信するものの写しを手元に持ちます。設定しなければ、データフォルダー',
  AWS_ACCESS_KEY_ID:
    'バケットのアクセスキー。`AWS_ACCESS_KEY_ID_FILE` でファイルからも読めます（要求のたびに読み直します）',
  AWS_SECRET_ACCESS_KEY: 'その秘密。`AWS_SECRET_ACCESS_KEY_FILE` でも指定できます',
  AWS_SESSION_TOKEN: 'セッショントークンがある場合に指定します。`AWS_SESSION_TOKEN_FILE` でも指定できます',
  SEKISHO_RELEASES_KEEP: '新しいリリースに替わったあと、開いたままのタブのために前のリリースを残す期間',
  SEKISHO_RELEASES_MAX: '残すリリースの最大数。0 では数を制限しません',
  SEKISHO_PUBLISH_RULES_FILE:
    'CI のどのジョブが公開できるかを書いた JSON のファイル。書き換えると読み直します。なければ、公開のトークンだけが使えます',
  SEKISHO_PUBLISH_MAX_MB: '送られてくる途中のリリースを、合計で何 MB まで置くか',
  SEKISHO_PUBLISH_MAX_FILES:
    '1 つのリリースの全エディションに含められる、ファイルとリダイレクトの合計数（プレビューだけを公開できる公開者のプレビューは 10,000 まで）',
  SEKISHO_PUBLISH_TOKEN: '`sekisho publish` で使う、`sekisho tokens create` で作ったトークン',
  SEKISHO_ID_TOKEN: '`sekisho publish` で使う、GitLab のジョブの ID トークン（宛先はポータルのアドレス）',
  SEKISHO_ALLOWED_DOMAINS:
    '閲覧を許可するメールアドレスのドメイン。これと次の 2 つのどれかが必須です。未設定は誤りで、「全員」にはなりません',
  SEKISHO_ALLOWED_EMAILS: '閲覧を個別に許可するメールアドレス',
  SEKISHO_POLICY_FILE:
    '上の 2 つに代わる JSON のファイル（`{ "domains": [], "emails": [], "groups": {} }`）。書き換えると次の要求から適用します',
  SEKISHO_POLICY_KEEP:
    'ポリシーのファイルを読めない、または内容に誤りがあるとき、最後に正しかったポリシーを使い続ける時間。過ぎると誰にも配信しません。公開ルールのファイルも同じです。`0` では使い続けません',
  SEKISHO_SESSION_IDLE: 'この時間使われなかったセッションは終わります',
  SEKISHO_SESSION_ABSOLUTE: '使われていても、この時間が過ぎたセッションは終わります',
  SEKISHO_REVALIDATION_INTERVAL: 'アカウントが有効かどうかを確かめ直す間隔',
  SEKISHO_REVALIDATION_GRACE: '認証サービスの停止中に、開いているセッションを維持する猶予',
  SEKISHO_CSP_ALLOW:
    'ページがほかのホストから使ってよいもの。`img https://images.example.com; frame https://www.youtube.com` のように書きます。種類は `img`、`media`、`font`、`style`、`script`、`connect`、`frame`、`worker`、`form` です。許可で何が起こりうるかは、`sekisho check` が示します',
  SEKISHO_IDENTITY:
    'ログインに使う認証サービス。`firebase`、`oidc`、または `oidc,firebase` のように両方。`--local` では `local` も使え、これが既定です',
  SEKISHO_OIDC_ISSUER:
    'OpenID の認証サービスの発行者。トークンの `iss` と同じつづりで書きます。2 つ目は `SEKISHO_OIDC_2_ISSUER` のように番号を付けます（9 まで。ほかの `SEKISHO_OIDC_` の設定も同じです）',
  SEKISHO_OIDC_CLIENT_ID: '認証サービスでのポータルのクライアント ID',
  SEKISHO_OIDC_CLIENT_SECRET: 'クライアントシークレット',
  SEKISHO_OIDC_CLIENT_SECRET_FILE: 'クライアントシークレットを書いたファイル',
  SEKISHO_OIDC_PRIVATE_KEY_FILE: 'クライアントシークレットに代わる秘密鍵（PKCS #8 の PEM、RSA または P-256）',
  SEKISHO_OIDC_TOKEN_AUTH:
    'トークンエンドポイントにクライアントを示す方法。`client_secret_basic`、`client_secret_post`、シークレットのない公開クライアントなら `none`。設定しなければ、認証サービスの案内に合わせます',
  SEKISHO_OIDC_NAME:
    '認証サービスの短い名前。ポリシーのグループの前と、ゲートのアドレスに使います。設定しなければ、発行者から `entra`、`google`、`okta`、`keycloak`、`oidc` のどれかに決まります',
  SEKISHO_OIDC_LABEL: 'ログイン画面のボタンに出す、アカウントの呼び名',
  SEKISHO_OIDC_VENDOR:
    '発行者から製品が分からないとき（独自のドメインなど）の、`entra`、`google`、`okta`、`keycloak`、`oidc` のどれか',
  SEKISHO_OIDC_DOMAINS:
    'この認証サービスが保証してよいメールアドレスのドメイン。認証サービスが複数あるときは必須です',
  SEKISHO_OIDC_SCOPES: '要求するスコープ。空白で区切ります。設定しなければ、認証サービスの種類で決まります',
  SEKISHO_OIDC_GROUPS_CLAIM: 'ID トークンまたは userinfo エンドポイントで、グループを並べたクレーム',
  FIREBASE_API_KEY:
    'Firebase ウェブアプリの `apiKey`。Firebase を使うときは、これと次の 2 つが必須です。誤っていると、ゲートは起動しますが誰もログインできず、どれが誤りかをログに出します',
  FIREBASE_AUTH_DOMAIN: 'ポータル自身のホスト名。`https://` は付けません',
  FIREBASE_PROJECT_ID: 'Firebase の `projectId`',
  FIREBASE_STORAGE_BUCKET: 'Firebase の `storageBucket`。省略できます',
  SEKISHO_AGENTS: 'エージェントが `/mcp` で読めるかどうか（`on` か `off`）',
  SEKISHO_AGENT_ALLOW:
    '読者に許可を求めてよいエージェント。クライアント文書のホストかアドレス、自分で登録するものには `registered` を書きます。設定しなければ、自分で登録するものと、Claude、VS Code、ChatGPT、Codex、opencode、Goose、Zed',
  SEKISHO_AGENT_CLIENTS:
    'こちらで ID を決めたクライアント。`gemini=http://localhost:7777/oauth/callback` のように書きます。アドレスが複数ある ID は、その数だけ書きます',
  SEKISHO_PERSONAL_TOKENS: '読者が自分のスクリプトのためのトークンを作れるかどうか（`on` か `off`）',
  SEKISHO_TITLE: 'ログイン画面に表示する名前',
  SEKISHO_TAGLINE: 'その下に表示する説明',
  SEKISHO_LOGIN_LANG:
    'ログイン画面の言語（`ja` か `en`）。サイトの追加のロケールの下では、そのロケールに合わせます',
  SEKISHO_TIME_ZONE: 'アカウントのページとプレビューの帯に出る日時のタイムゾーン（IANA の名前）',
  SEKISHO_EMBEDDINGS_URL:
    '索引をモデルで作ったサイトで、読者の質問をベクトルにする場所です。OpenAI 形式のエンドポイントのアドレス全体を書きます（例：`https://ai.example.com/v1/embeddings`）。読者の検索語がここに送られます。設定しなければ何も送らず、言葉だけで探します',
  SEKISHO_EMBEDDINGS_KEY:
    'そのキー。Bearer トークンとして送ります。`sekisho build` と `sekisho pack` も読みます',
  SEKISHO_EMBEDDINGS_KEY_FILE: 'このキーを書いたファイル',
  SEKISHO_ANSWERS:
    'モデルの使い方。`all` では読者の質問に答え、文で書かれた検索を短い言葉に言い換えます。`rewrite` では言い換えだけを行い、ページの文章は送りません',
  SEKISHO_ANSWERS_URL:
    'OpenAI 形式のチャットのエンドポイントのアドレス全体です（例：`https://ai.example.com/v1/chat/completions`）。設定すると、読者が質問できるようになります。質問と、その読者が読めるページの抜粋を、名前を付けずに送ります。設定しなければ何も送りません。HTTPS か、ループバックのアドレスにします',
  SEKISHO_ANSWERS_MODEL: 'エンドポイントでのモデルの名前。アドレスを設定したときは必須です',
  SEKISHO_ANSWERS_KEY_FILE: 'エンドポイントのキーを書いたファイル。設定しなければキーを送りません',
  SEKISHO_ANSWERS_AUTH: 'キーを送るヘッダー。`bearer`（`Authorization: Bearer …`）か `api-key`（Azure）',
  SEKISHO_ANSWERS_PRIVATE_HOSTS: 'HTTPS なしで問い合わせてよい、自社のネットワークのホスト',
  SEKISHO_ANSWERS_TOKENS_A_DAY:
    '1 日（UTC）に使うトークンの上限（送受信の合計）。超えると、その日は新しい回答を始めません。同じデータベースを使うゲートで共有し、データベースがなければ起動してから数えます',
  SEKISHO_ANSWERS_FIRST_TOKEN: 'エンドポイントが最初の言葉を返すまで待つ時間',
  SEKISHO_ANSWERS_TIMEOUT: '回答全体にかけてよい時間',
  SEKISHO_NOTICES_WEBHOOK:
    '公開と、担当者の対応が必要なページを知らせる Webhook のアドレス。HTTPS に限ります',
  SEKISHO_NOTICES_WEBHOOK_FILE:
    '同じアドレスを書いたファイル。アドレスを知る人は誰でも投稿できるため、こちらを勧めます',
  SEKISHO_NOTICES_FORMAT: '送る形式。`json`、`slack`、`teams` のいずれか',
  SEKISHO_NOTICES_KEY_FILE:
    '署名に使うキーを書いたファイル（Standard Webhooks の形式。`whsec_` と base64）。`json` では必須です',
  SEKISHO_NOTICES_GROUPS:
    'そのチャンネルの参加者全員が入っている、ポリシーのグループ。なければ、全員が読めるページだけを知らせます',
  SEKISHO_NOTICES_SMTP:
    'メールサーバー。`smtps://ユーザー:パスワード@ホスト:465` か `smtp://ホスト:587`（STARTTLS）',
  SEKISHO_NOTICES_SMTP_FILE: '同じものを書いたファイル',
  SEKISHO_NOTICES_FROM: '送信元のメールアドレス。メールサーバーを設定したときは必須です',
  SEKISHO_NOTICES_OWNERS:
    'ページがチーム名で示す担当のメールアドレス。`payments=payments@example.co.jp` のように書きます',
  SEKISHO_NOTICES_EVERY: '担当者と読者に知らせる間隔。`weekly`（月曜日）か `daily`。8 時から送ります',
  SEKISHO_NOTICES_PRIVATE_HOSTS:
    'Webhook やメールサーバーにする、自社のネットワークのホスト。TLS と公開アドレスを必要としません',
  SEKISHO_AUDIT_KEEP: '監査ログを最低限残す期間',
  SEKISHO_SEARCH_LOG_DAYS: '検索語の記録を残す日数。名前は含みません。0 では何も残しません',
  SEKISHO_FEEDBACK_DAYS: 'ページへの評価を残す日数。名前は含みません。0 では何も残しません',
  SEKISHO_READERSHIP:
    '`on` では、ページごとの読者の数を、名前を残さず、5 人以上のときだけ週ごとに数えます。`off` では数えず、これまでの数は残ります',
  SEKISHO_WHATS_NEW:
    '前回の訪問からの更新を読者に示すかどうか（`on` か `off`）。そのためにアカウントごとの最後の訪問を記録します',
  SEKISHO_OPERATOR:
    'コマンドを実行する人の名前。システムのユーザーだけでは分からないとき（パイプラインなど）に、監査ログのために設定します',
  SEKISHO_LOG_LEVEL:
    'ログの詳しさ。`debug`、`info`、`warn`、`error` のどれか。`--local` での既定は `warn` です',
  SEKISHO_METRICS_PORT: 'Prometheus 形式の計測値を公開するポート。設定しなければ公開しません',
  SEKISHO_METRICS_HOST:
    'そのポートで待ち受けるアドレス。ループバック以外では次の 2 つの少なくとも一方が必要で、設定したものはすべて満たす必要があります',
  SEKISHO_METRICS_NETWORKS: '計測値を取得できるアドレスまたは CIDR',
  SEKISHO_METRICS_TOKEN_FILE:
    '計測値を取得するときに示すトークン（`Authorization: Bearer`）を書いたファイル。32 文字以上',
}
