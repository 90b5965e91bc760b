import type * as en from '../en/init.ts'

export const initNotes: typeof en.initNotes = {
  search: 'Sekisho の検索に置き換わります。インデックスはサーバーから出ません',
  tracker: '誰が何を読んだかを、ほかの会社に送ります',
  beacon: 'ほかのホストから読み込むスクリプトが、読者の権限で動きます',
  no_index:
    '公開の検索エンジンだけに対する指定です。ポータルの検索はすべてのページを見つけます。除くページには、フロントマターに search: false と書いてください',
  search_option: '引き継がれません。除くページのフロントマターに search: false と書いてください',
  service_worker: 'Service Worker がページをブラウザーに残し、ログアウトしたあとも生き続けます',
  agents_need_sign_in: 'ログインした読者にだけ配信します。エージェントは、読者としてログインして読みます',
  sitemap: 'sitemap.xml は、ログインした読者にだけ配信します。検索エンジンには見えません',
  tries_requests: 'リクエストを試すと、API のホストに接続します',
  redoc: 'ReDoc は、blob から作るワーカーを動かし、開発元の画像を表示します',
  live_code: 'ライブエディターの例が、コードを評価します',
  scalar:
    'スクリプトをほかのホストから読み込みます（static/ に置いた写しを `cdn` に指定すれば読み込みません）。リクエストを試すと、API のホストに接続します',
  drawio:
    'ビューアーをほかのホストから読み込みます（static/ に置いた写しを `lib` に指定すれば読み込みません）',
  loaded_from_github: 'ブラウザーが GitHub からコードを取得します',
  loaded_from_other_host: 'ほかのホストから読み込みます。static/ に写しを置かないと、読み込まれません',
  not_tried: 'まだ試していません。はじめて起動したら、使っているページを確かめてください',
}

export const init: typeof en.init = {
  help: `使い方: sekisho init [--site DIR] [--tools NAMES] [--workflow] [--docker] [--yes]
       sekisho init --undo [--all] [--site DIR] [--yes]

Docusaurus のサイトをゲートの内側に置きます。何を変えるかを示してから変えます。もう一度実行しても、何も変わりません。

  --site DIR   Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
  --tools      ページに加える機能をコンマで区切る: feedback（役に立ったかを尋ねる）、markdown（Markdown のコピーと印刷）、
               zoom（画像の拡大）。既定ではどれも加えない
  --workflow   GitHub Actions のワークフローも作る
  --docker     Dockerfile も作る
  --yes        何も尋ねない
  --undo       init がしたことを元に戻す。その後に変えられたものは残す
  --all        --undo とともに: リリース、セッション、監査ログ、秘密も消す
  --help       この説明を表示する`,
  unknown_tools: (known, unknown) =>
    `--tools に指定できるのは ${known.join('、')} です（${unknown.join('、')} はありません）`,
  works: 'そのまま使えます',
  replaced: '置き換わります',
  grant: 'コンテンツポリシーの許可が要ります',
  refused: '使えません。設定から外してください（外さなくても、スクリプトは読み込まれません）',
  not_known: '分かりません',
  proposal:
    'ページがほかのホストから使うものをすべて許可するには、sekisho.env に次の行を書きます。許可ごとの代償は、その下のとおりです。',
  changes: '変更するもの',
  one_line: (theme) => `themes に '${theme}' を 1 行加えます`,
  leaves_out: (folders) => `${folders.join(' と ')} を Git の対象から外します`,
  settings: 'ゲートの設定（説明付き）を作ります',
  workflow: 'push のたびにビルド、検証、公開するワークフローを作ります',
  image: 'サイトを配信するイメージの Dockerfile を作ります',
  theme_line_removed: '加えた行を消します',
  unchanged_line: '元に戻します',
  will_be_deleted: '消します',
  removed: (what) => `消します（${what}）`,
  ask_feedback: '各ページの終わりで、役に立ったかを読者に尋ねますか?',
  ask_markdown: '各ページを Markdown でコピーしたり、印刷したりできるようにしますか?',
  ask_zoom: '画像をクリックで拡大できるようにしますか?',
  ask_all: '変更しますか?',
  unasked: '何も変更していません。変更するには --yes を付けてください',
  nothing_to_change: '変更するものはありません。サイトはすでにゲートの内側にあります。',
  done: '終わりました。次は npx --no-install sekisho start です。',
  changed_since: (file) => `${file} は、あとから変更されているので残します`,
  stays: (folder, what) => `${folder} は残します（${what}）。--all を付けると消します`,
  kept_data: 'リリース、セッション、監査ログ、秘密',
  kept_for_builds: '次のビルドで使うもの',
  nothing_to_undo: '元に戻すものはありません。',
  undone: (remove) => `終わりました。パッケージも外すには ${remove} sekisho を実行してください。`,
  no_such_site: (dir) => `${dir} は Docusaurus のサイトではありません（docusaurus.config がありません）`,
  no_site:
    'ここに Docusaurus のサイトはありません。docusaurus.config のあるフォルダーに移るか、--site DIR で指定してください',
  several_sites: (names) => `サイトがいくつもあります。--site で 1 つ指定してください: ${names.join('、')}`,
  no_place: (file, theme) =>
    `${file} の themes は、ここからは書き換えられない作り方になっています。themes に '${theme}' を加えてから、もう一度実行してください`,
  without_effect: (theme) =>
    `書き換えたオブジェクトの themes が使われていないので、行を消しました。themes に '${theme}' を加えてください`,
  config_unread: (file, end) => `${file} を読み込むプロセスが、答えずに終わりました（${end}）`,
  no_config: (file) => `${file} は、Docusaurus が受け付ける設定をエクスポートしていません`,
  settings_file: ({
    title,
    tagline,
    lang,
  }) => `# Sekisho のゲートの設定です。\`npx --no-install sekisho start\` には、どれも要りません。\`npx --no-install sekisho serve\` には (*) の付いたものが要り、
# 足りないものは \`npx --no-install sekisho check\` が示します。同じ名前の環境変数があれば、そちらを使います。

# ログイン画面に出る言葉
SEKISHO_TITLE=${title}
SEKISHO_TAGLINE=${tagline}
SEKISHO_LOGIN_LANG=${lang}

# (*) 読者が使う、ただ 1 つの https のアドレス
# SEKISHO_ORIGIN=https://docs.example.co.jp

# (*) ログインに使う認証サービス。OpenID Connect に対応していれば、どれでも使えます（Microsoft 365 の Entra ID、Google、Okta、Keycloak、HENNGE One など）。
# 認証サービスに登録するリダイレクト URI は https://docs.example.co.jp/__gate/sign-in/NAME/callback です（NAME は entra、google、okta、keycloak、そのほかは oidc）。
# SEKISHO_IDENTITY=oidc
# SEKISHO_OIDC_ISSUER=https://login.microsoftonline.com/テナントID/v2.0
# SEKISHO_OIDC_CLIENT_ID=
# SEKISHO_OIDC_CLIENT_SECRET_FILE=/etc/sekisho/oidc-secret
# Firebase を使うときは、上の 4 つの代わりに次の 3 つを書きます。AUTH_DOMAIN は、読者が使うホスト名です。
# FIREBASE_API_KEY=
# FIREBASE_PROJECT_ID=
# FIREBASE_AUTH_DOMAIN=docs.example.co.jp

# (*) 読める人。メールのドメイン、アドレス、またはその両方をコンマで区切ります。グループを使うときは、代わりに SEKISHO_POLICY_FILE を使います。
# SEKISHO_ALLOWED_DOMAINS=example.co.jp
# SEKISHO_ALLOWED_EMAILS=guest@partner.example.com

# (*) 秘密のファイル。リポジトリの外に、openssl rand -base64 33 で作ります。
# SEKISHO_SECRET_FILE=/etc/sekisho/secret

# (*) https を受けるプロキシ。そこから来た X-Forwarded-For を信じます。
# SEKISHO_TRUSTED_PROXIES=127.0.0.1

# ページがほかのホストから使ってよいもの。使おうとしているものは sekisho build が、許可の代償は sekisho check が示します。
# SEKISHO_CSP_ALLOW="img https://avatars.githubusercontent.com; frame https://www.youtube.com"
`,
}
