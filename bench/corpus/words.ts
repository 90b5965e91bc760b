/** Nouns of the imagined team's trade; subjects and objects of the generated sentences. */
export const NOUNS = [
  '認証基盤',
  '検索サーバー',
  '配信経路',
  '監視ダッシュボード',
  '課金バッチ',
  '通知キュー',
  '画像変換',
  '顧客台帳',
  '在庫同期',
  '署名鍵',
  '設定ファイル',
  'リリース手順',
  '障害対応',
  '権限管理',
  '監査ログ',
  'ステージング環境',
  'データベース',
  'キャッシュ',
  'ジョブスケジューラー',
  '外部連携',
  'バックアップ',
  '負荷試験',
  '開発環境',
  '契約管理',
  '翻訳ワークフロー',
  '負荷分散装置',
  'アクセス制御',
  '証明書',
  'コンテナ基盤',
  '変更履歴',
  '運用当番',
  '全文検索',
] as const

/** Topics of a page about a noun. */
export const TOPICS = [
  'の概要',
  'の設定手順',
  'の移行計画',
  'の運用ルール',
  'のトラブルシューティング',
  'の設計方針',
  'の性能測定',
  'の用語集',
  'の権限設定',
  'のよくある質問',
  'のリリースノート',
  'の検証結果',
  'の構成図',
  'の復旧手順',
] as const

/** Category names, outermost first in the imagined team's mind. */
export const AREAS = [
  'はじめに',
  '基礎知識',
  '開発ガイド',
  '運用ガイド',
  'セキュリティ',
  'データ基盤',
  'インフラ',
  'アプリケーション',
  '外部サービス',
  '社内ツール',
  '品質保証',
  'リリース',
  '監視',
  '障害対応',
  '設計資料',
  '参考資料',
] as const

/** Sentence ends: each takes a subject and an object. */
export const CLAUSES = [
  (a: string, b: string) => `${a}を変更するときは、先に${b}の状態を確認してください。`,
  (a: string, b: string) => `${a}は${b}と別のネットワークに置き、必要な通信だけを許可します。`,
  (a: string, b: string) => `この手順では${a}を止めずに${b}を入れ替えます。`,
  (a: string, b: string) => `${b}の値が想定と異なる場合、${a}の起動は失敗します。`,
  (a: string, b: string) => `${a}の担当者は週に一度${b}を見直し、結果を記録に残します。`,
  (a: string, b: string) => `本番の${a}に触れる前に、${b}で同じ操作を試しておくと安全です。`,
  (a: string, b: string) => `${a}と${b}の間には最大で五分の遅れがあります。`,
  (a: string, b: string) => `${b}から取得した情報をもとに、${a}の一覧が自動で更新されます。`,
  (a: string, b: string) => `なお、${a}の古い版では${b}を利用できません。`,
  (a: string, b: string) => `${a}の詳しい仕組みについては、${b}の章で説明します。`,
] as const

/** Code samples by language, `%` being replaced by a number so that no two pages are the same. */
export const CODE = {
  bash: 'npm ci\nnpm run build -- --locale ja\n# 結果を確かめる\ncurl --fail --silent http://127.0.0.1:3%00/health',
  ts: "import { createServer } from 'node:http'\n\nconst limit = %00\n\nexport function start(port: number): void {\n  // 受付を始める前に設定を読む\n  createServer((request, response) => {\n    response.end(request.url + limit)\n  }).listen(port)\n}",
  yaml: 'service:\n  name: worker-%\n  replicas: 3\n  env:\n    TIMEOUT_MS: "%00"\n  # 夜間は止める\n  schedule: "0 3 * * *"',
  json: '{\n  "name": "record-%",\n  "enabled": true,\n  "labels": ["内部", "検証"],\n  "limit": %00\n}',
  sql: "SELECT id, name, updated_at\nFROM accounts\nWHERE region = 'jp-%'\nORDER BY updated_at DESC\nLIMIT %0;",
} as const
