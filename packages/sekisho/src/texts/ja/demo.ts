import type { demo as en, demoPages as enPages } from '../en/demo.ts'

export const demo: typeof en = {
  demo_help: `使い方: sekisho demo

4 ページのポータルを、このマシンの一時フォルダーから配信します。フォルダーは停止すると削除されます。ポートを 3000 から変えるには
PORT を設定します。--lang en で英語になります。

  --help          この説明を表示する`,
  making: (folder) => `小さなポータルを ${folder} に作っています（停止すると削除されます）`,
}

export const demoPages: typeof enPages = {
  site_title: 'Sekisho デモ',
  index_title: '1 分で分かる Sekisho',
  index_body: `<p>ログインしたので、このページを読めています。セッションがなければ、本文もファイル名も検索インデックスも、サーバーから出ません。</p>
<ol><li>このアドレスをプライベートウィンドウで開くと、同じ URL にログイン画面が表示されます。</li>
<li>Ctrl+K（⌘K）を押して「経費精算」を検索してみてください。</li>
<li>アカウントのボタンから、セッションの確認とログアウトができます。</li>
<li>自分のサイトでは <code>sekisho init</code> と <code>sekisho start</code>、HTML のフォルダーでは <code>sekisho pack DIR</code> を実行します。</li></ol>`,
  expenses_title: '経費精算',
  expenses_body: `<p>経費は翌月の第 5 営業日までに申請します。領収書は写真でもかまいません。</p><h2>出張</h2><p>鉄道は各自で予約し、航空券は予約の前に承認を受けます。</p>`,
  onboarding_title: '入社した週にすること',
  onboarding_body: `<p>初日にパソコンを設定します。リポジトリの権限は、チームに依頼してください。</p><h2>開発環境</h2><p>リポジトリをクローンし、Node を入れて、テストを一度実行します。</p>`,
  incidents_title: '障害対応',
  incidents_body: `<p>チャットで障害を宣言し、指揮する人を 1 人決め、時刻を記録しながら進めます。</p><h2>振り返り</h2><p>1 週間以内に振り返り、人ではなく原因を探します。</p>`,
}
