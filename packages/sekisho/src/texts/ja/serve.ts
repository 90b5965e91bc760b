import type { serve as en } from '../en/serve.ts'

export const serve: typeof en = {
  serve_help: (dataDir) => `使い方: sekisho serve [--local] [--data-dir DIR]

ログインした人に、今のリリースを配信します。設定は環境変数で行います（sekisho check --help を参照）。

  --local         このマシンだけで、組み込みのログインを使う。ID プロバイダーもネットワークも不要
${dataDir}
  --help          この説明を表示する`,
  account_of_domains: (domains) => `@${domains.join(' または @')} のアカウント`,
  account_of_policy: 'アクセスポリシーが認めるアカウント',
  serving: '配信中',
  release: (id) => `リリース ${id}`,
  nothing_built: 'まだありません。sekisho build を実行してください',
  sign_in: 'ログイン',
  switched_off_because: '設定に誤りがあるため、使えません',
  local_sign_in_hint: (buttons, who) => `「${buttons}」を押し、${who}を選びます`,
  metrics: 'メトリクス',
  stop: '停止',
  sekisho_ready: (origin) => `  Sekisho の準備ができました: ${origin}`,
  serve_row: (name, value) => `  ${name}: ${value}`,
  port_taken: (port) =>
    `ポート ${port} は使われています。使っているものを止めるか、PORT を別の番号にしてください`,
  metrics_port_taken: (port) =>
    `メトリクスのポート ${port} は使われています。使っているものを止めるか、SEKISHO_METRICS_PORT を別の番号にしてください`,
  not_permitted: (reason) => `許可されていません（${reason}）`,
  no_such_address: 'SEKISHO_HOST は、このマシンのアドレスではありません',
  no_packages: (reason) => `--local には開発用のパッケージが必要です（${reason}）`,
  no_session_store: (reason) => `セッションの保存先を使えません（${reason}）`,
  settings_not_right: '設定を直してください。',
  start_help: (dataDir) => `使い方: sekisho start [--site DIR] [--data-dir DIR]

サイトを作り、リリースにまとめ、このマシンだけで使えるログインを付けて配信します。ID プロバイダーもネットワークも不要です。
ポートを 3000 から変えるには PORT を設定します。

  --site DIR      Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
${dataDir}
  --help          この説明を表示する`,
  building: (dir) => `${dir} を作っています`,
  starting_gate_local: 'ゲートと、このマシン用のログインを起動しています',
  port_unusable: (port) =>
    `ポート ${port} は使えません。使っているものを止めるか、PORT で別のポートを指定してください`,
}
