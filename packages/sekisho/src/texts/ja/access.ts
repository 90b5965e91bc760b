import type { access as en } from '../en/access.ts'

export const access: typeof en = {
  at: '時点',
  kind: '種類',
  who: '対象',
  issuer: '発行者',
  subject: 'アカウント ID',
  may_read: '読めるか',
  rule: 'ルール',
  groups: 'グループ',
  edition: 'エディション',
  first_sign_in: '最初のログイン',
  last_sign_in: '最後のログイン',
  last_read: '最後に読んだ時刻',
  at_problem: '--at には 2026-11-01T09:00:00+09:00 のような時刻を指定してください',
  unknown_rules:
    'その時点で動いていたゲートは、読める人のルールを監査ログに残していません（この版より前です）',
  trail_not_found:
    '監査ログがありません。--data-dir でフォルダーを指定するか、SEKISHO_DATABASE_URL を設定してください',
  audit_trail_begins: (begins) => `監査ログは ${begins} からです。それより前のことは分かりません`,
  trail_lines_unreadable: (unreadable) =>
    `監査ログの ${unreadable} 行を読めません。sekisho audit verify で確かめてください`,
  other_gates_ran: (others) =>
    `別のルールで動いていたゲートがあります（${others.join(', ')}）。表は最後にルールを読んだゲートのものです`,
  written: (file) => `${file} に書きました`,
  yes: 'はい',
  no: 'いいえ',
  kind_account: 'アカウント',
  kind_address: 'アドレス',
  kind_domain: 'ドメインの全員',
  kind_group: '認証サービスのグループ',
  none: 'なし',
  group_from_provider: '認証サービスのグループ',
  signed_in_since: 'ログイン',
  refused_address_not_admitted: 'どのルールにもありません',
  refused_address_not_vouched: '認証サービスがアドレスを保証していないので、アドレスのルールは使えません',
  refused_email_unverified:
    '最後のログインで、認証サービスが確認済みのアドレスとしませんでした（email_verified が true ではありません）',
  refused_email_domain:
    '最後のログインで、この認証サービスが保証できないドメインのアドレスでした（SEKISHO_OIDC_DOMAINS）',
  refused_group_missing:
    'ポリシーにはグループだけがあり、認証サービスが伝えたグループは、そのどれでもありません',
  refused_groups_unknown:
    '認証サービスがグループをすべて伝えていないので、グループなしとして扱います。アドレスのルールにもありません',
  refused_provider_not_configured: 'このアカウントを保証した認証サービスは、もう設定されていません',
  unknown_not_signed: '不明（ログインしていません）',
  groups_too_many: '多すぎて伝わっていません（なしとして扱います）',
  access_help: (dataDir) => `使い方: sekisho access explain ADDRESS
       sekisho access review [--at TIME] [--out FILE]

explain  そのアドレスの人が読めるか、どのルールで読めるか、どのグループに属し、どのエディションを受け取るかを表示する。
         認証サービスが伝えるグループは、ログインしている間のセッションから読む
review   ある時点でだれがどのエディションを読めたかを、監査ログから CSV で出す（ISO 27001 A.5.18 のアクセス権のレビュー）。
         ログインしたことのあるアカウントと、ルールが名指しする人すべて。レビューしたことは監査ログに残る

SEKISHO_DATABASE_URL があれば、--data-dir を指定しない限り、そのデータベースを扱います。

  --at TIME       ISO 8601。例: 2026-11-01T09:00:00+09:00（既定: 今）
  --out FILE      標準出力ではなくファイルに書く
${dataDir}
  --help          この説明を表示する`,
}
