import type { command as en } from '../en/command.ts'

export const command: typeof en = {
  option_unknown: (option) => `${option} というオプションはありません`,
  value_missing: (option) =>
    `オプション ${option} には値が必要です。ハイフンで始まる値は ${option}=-値 の形で指定してください`,
  value_unexpected: (option) => `オプション ${option} に値は指定できません`,
  argument_unexpected: (argument) => `引数 ${argument} が余分です`,
  arguments_incomplete: '引数かオプションが足りないか、組み合わせが正しくありません。使い方は次のとおりです',
  demo_summary: '一時フォルダーで、小さなポータルを試す',
  init_summary: 'Docusaurus のサイトをゲートの内側に置く',
  start_summary: 'サイトを作り、このマシンで配信する',
  dev_summary: '執筆者のための Docusaurus（すぐに反映）',
  new_summary: '新しいページを作る',
  build_summary: 'サイトを作り、リリースとして公開する',
  pack_summary: 'HTML のフォルダーをリリースとして公開する',
  publish_summary: 'リリースを、動いているゲートに送って公開する',
  follow_summary: 'ブランチが進むたびにビルドし、公開する',
  tokens_summary: '公開用トークンを作成・削除する',
  releases_summary: '残っているリリースを一覧し、切り戻す',
  previews_summary: 'プレビューを一覧し、取り消す',
  serve_summary: 'ログインした人にリリースを配信する',
  check_summary: '設定を検査し、問題を表示する',
  migrate_summary: 'データベースの表を作る、または更新する',
  backup_summary: 'ゲートが保存するものを、動かしたまま写す',
  restore_summary: 'バックアップを戻す、または戻せるかを試す',
  agents_summary: 'エージェントの許可を一覧し、取り消す',
  sessions_summary: 'セッションを一覧し、終わらせる',
  access_summary: '誰が何を読めるか、その理由を表示する',
  verify_summary: 'ゲートが何も漏らさないことを確かめる',
  synonyms_summary: '同義語を検索に登録する',
  agents_md_summary: 'コードのリポジトリの AGENTS.md に貼る索引',
  covers_summary: 'コードの変更にかかわるページを一覧する',
  search_report_summary: '探しても見つからなかったもの',
  report_summary: 'ページは役に立ったか',
  probe_summary: '動いているゲートを、監視システムから読者の経路で確かめる',
  acknowledgements_summary: 'ページの確認の記録を一覧し、書き出す',
  notices_summary: 'Webhook とメールに試しの通知を送る',
  export_summary: '監査の証拠として、ページを書き出す',
  audit_summary: '監査ログを検証・書き出し・送信する',
  explain_summary: 'メッセージの末尾にあるコードの意味を表示する',
  explain_help: `使い方: sekisho explain コード...

コードごとに、メッセージの文（何が起き、どう直すか）を表示します。値は波括弧で示します。コードは、[gate.bad_origin] のように
メッセージの末尾の角括弧の中にあります。点より前は省略できます。すべてのコードは、リポジトリの docs/errors.ja.md にあります。

  --help          この説明を表示する`,
  explain_unknown: (code) =>
    `${code} というコードはありません。すべてのコードは、リポジトリの docs/errors.ja.md にあります`,
  usage_overview: (list) =>
    `使い方: sekisho コマンド [オプション]\n\n${list}\n\n各コマンドの説明は --help で表示します。言語は --lang ja か --lang en で選べます（既定: LANG）。`,
  ways_to_start: (
    version,
  ) => `Sekisho ${version}: ログインした人だけが読めるドキュメントポータルです。ここに Docusaurus のサイトはありません。始め方は 3 つあります。

  sekisho demo        小さなポータルをすぐに試す（何も残りません）
  sekisho init        Docusaurus のサイトのフォルダーで実行し、設定に 1 行加える。次に sekisho start
  sekisho pack DIR    HTML のフォルダー（VitePress、MkDocs、Storybook など）を公開する。次に sekisho serve --local

すべてのコマンドは sekisho --help で表示します。`,
  command_not_installed: (name) =>
    `sekisho ${name}: ここには配信に必要なものだけが入っています。サイトを作るマシンや CI で実行し、sekisho publish --to でここに送ってください`,
  command_unknown: (quoted) => `sekisho: ${quoted} というコマンドはありません`,
  data_dir: (option, fallback) =>
    `  ${option}データフォルダー（既定: SEKISHO_DATA_DIR、なければ ${fallback}）`,
}
