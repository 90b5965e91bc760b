import type { acknowledgements as en } from '../en/acknowledgements.ts'

export const acknowledgements: typeof en = {
  help: (dataDir) => `使い方: sekisho acknowledgements list [--people FILE]
        sekisho acknowledgements export --out DIR [--people FILE]
        sekisho acknowledgements reviews

list    確認を求めるページごとに、現在の版を確認した人数、未確認の人、期限の超過を表示する
export  同じ内容を CSV と印刷用のページに書き出す。どちらにも openssl で検証できる署名が付く（VERIFY.md）
reviews 担当の人がボタンで記録した見直しの日を、原稿の reviewed に書き込むパッチを表示する（git apply 用）

対象者は、アクセスポリシーに書かれたアドレスか、--people の一覧です。ドメイン全体と認証サービスのグループの人は、一覧がないと
分かりません。

  --people FILE   CSV。アドレスと、ポリシーにない場合はグループ: a@example.co.jp,staff sre
  --out DIR       新しく作るフォルダー
${dataDir}
  --help          この説明を表示する`,
  source_not_found: (path, day) =>
    `${path} の原稿を特定できません。フロントマターに書いてください: reviewed: ${day}`,
  none_asked: 'このリリースには、確認を求めるページがありません。',
  nobody_named: 'ポリシーにアドレスがありません。対象者を --people FILE で指定してください。',
  owner: (owner) => `担当: ${owner}`,
  due: (day) => `期限 ${day}`,
  overdue: (day) => `期限超過（${day}）`,
  counts: (done, missing) => `確認済み ${done} 人、未確認 ${missing} 人`,
  exported: (folder, rows, fingerprint) =>
    `${folder} に ${rows} 行を書き出しました。鍵のフィンガープリント: ${fingerprint}`,
  column_path: 'ページ',
  column_title: 'タイトル',
  column_owner: '担当',
  column_version: '版',
  column_due: '期限',
  column_email: 'アドレス',
  column_state: '状態',
  column_at: '日時',
  column_account: 'アカウント',
  column_content: '配信したページの SHA-256',
  column_release: 'リリース',
  state_done: '確認済み',
  state_open: '未確認',
  state_overdue: '期限超過',
  report_title: '確認の記録',
  report_made: (time, release) => `作成: ${time} ・ リリース: ${release}`,
}
