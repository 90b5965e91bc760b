import type { Account } from './account.ts'
import { LOCAL_DOMAIN } from './options.ts'

/** Members the default local policy admits, then accounts that show what a refusal looks like. */
export const DEMO_ACCOUNTS: readonly Account[] = [
  demo('1-sato-hanako', '佐藤 花子', `hanako.sato@${LOCAL_DOMAIN}`),
  demo('2-suzuki-ichiro', '鈴木 一郎', `ichiro.suzuki@${LOCAL_DOMAIN}`),
  demo('3-takahashi-misaki', '高橋 美咲', `misaki.takahashi@${LOCAL_DOMAIN}`),
  demo('4-no-name', null, `shared-account@${LOCAL_DOMAIN}`),
  demo('5-tanaka-outside', '田中 健（社外）', 'ken.tanaka@partner.example'),
  demo('6-no-email', 'メールアドレスのないアカウント', null),
]

/** Ids are fixed, so that a session outlives a restart without a file. */
function demo(id: string, displayName: string | null, email: string | null): Account {
  return {
    localId: `demo-${id}`,
    email,
    emailVerified: email !== null,
    displayName,
    photoUrl: null,
    disabled: false,
    googleId: `google-${id}`,
    createdAtMs: 0,
    lastLoginAtMs: 0,
  }
}
