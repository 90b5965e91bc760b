import type { IndexPage } from '../src/indexer/index.ts'
import { page } from './fixture-index.ts'

/** A small manual with one page for each thing that readers write in more than one way. */
export const FIXTURE_PAGES: readonly IndexPage[] = [
  page('environment-variables', '環境変数', 'サーバーの環境変数を設定ファイル .env に書きます。'),
  page(
    'ownership',
    '所有権とは',
    '所有権（ownership）は値の持ち主を決めます。error: borrow of moved value: `s1`',
  ),
  page('server-components', 'サーバーコンポーネント', 'サーバー側でレンダリングします。キーが要ります。'),
  page('undo', '変更の取り消し', 'git commit --amend で直前の変更を取り消します。'),
  page('use-state', 'useState', 'useState は state を持つフックです。useState を2回呼びます。'),
  page('static-paths', 'getStaticPaths', 'getStaticPaths() は src/pages/index.astro から書き出します。'),
  page('operators', '演算子', 'a?.b はオプショナルチェーンです。配列から要素を探します。'),
  page('cpp', 'C++ の例外', 'C++ では例外を throw します。cin >> n で値を読みます。'),
  page('deploy', 'デプロイ手順', 'ブランチをマージするとデプロイされます。', {
    kind: 'knowledge',
    sections: [
      { heading: '準備', level: 2, anchor: 'preparation', text: '鍵を作成します。' },
      { heading: 'ブランチの削除', level: 2, anchor: 'delete', text: 'リモートのブランチを削除します。' },
    ],
  }),
  page('kubernetes', 'Kubernetes の監視', 'kubernetes のクラスターを監視します。'),
  page('operation', '運用', '毎日の運用です。'),
  page('hidden-lines', '隠線処理', '見えない線を描きません。'),
  page('errors', '処理', '線と隠れた値の処理です。'),
  page('assignment', '担当の割り当て', 'チケットを担当者に割り当てます。'),
  page('calls', '関数の呼び出し', '関数を呼び出します。呼びだし元に値を返します。'),
  page('translation', '翻訳', '本文を翻訳します。'),
  page('smart-pointers', 'スマートポインタ', 'ディレクトリをたどる値を持ちます。Rc<Box<T>> と書きます。', {
    url: '/docs/ch15-00-smart-pointers',
  }),
  page('lifetimes', 'ライフタイム', "参照の寿命を 'static と書きます。std::mem::drop で終わらせます。"),
  page('package-json', 'package.json', 'package.json に依存関係を書きます。'),
  page('welcome', 'ようこそ', 'はじめにお読みください。', { kind: 'blog' }),
]
