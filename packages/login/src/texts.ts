import type { EndReason } from '@sekisho/contract/session-answer'
import type { AdmissionFailure } from './session/open-session.ts'
import type { Notice, SignInState } from './sign-in/state.ts'

/** The alert for a click while the identity service was never started. */
export const NOT_CONFIGURED = '認証サービスの設定が正しくありません。管理者に連絡してください。'

/** Why a session ended, and what to do now. */
export const END_TEXTS: Readonly<Record<EndReason, string>> = {
  idle: 'しばらく利用がなかったため、ログアウトしました。もう一度ログインすると、元のページに戻ります。',
  absolute: 'ログインの有効期限が切れました。もう一度ログインすると、元のページに戻ります。',
  revoked: '管理者がこのログインを終了しました。続けて利用するには、もう一度ログインしてください。',
  elsewhere:
    'ほかのブラウザーからの操作で、このログインを終了しました。心当たりがないときは、管理者に連絡してください。',
  account: 'アカウントが無効になったか、変更されたため、ログアウトしました。管理者に連絡してください。',
  unproven: 'アカウントをもう一度確認できなかったため、ログアウトしました。もう一度ログインしてください。',
  policy: 'このアカウントでは閲覧が許可されなくなったため、ログアウトしました。管理者に連絡してください。',
  replaced:
    'このアカウントのログインが多くなったため、使われていないものを終了しました。もう一度ログインしてください。',
}

const ADMISSION: Readonly<Record<AdmissionFailure, string>> = {
  rejected: 'ログイン情報を確認できませんでした。もう一度ログインしてください。',
  'too-many-requests': 'ログインの回数が多すぎます。しばらく待ってから、もう一度お試しください。',
  'identity-unavailable': '認証サービスが一時的に利用できません。しばらくしてから、もう一度お試しください。',
  'not-configured': NOT_CONFIGURED,
  unreachable: 'サーバーに接続できません。ネットワークの接続を確認して、もう一度お試しください。',
  'cookie-lost':
    'ブラウザーにログインの記録を保存できませんでした。このサイトの Cookie を許可して、もう一度お試しください。',
  unexpected: 'ログインを完了できませんでした。繰り返す場合は管理者に連絡してください。',
}

/** What went wrong, and what to do about it. */
export function describeNotice(notice: Notice): string {
  switch (notice.kind) {
    case 'cancelled':
      return 'ログインは完了していません。もう一度お試しください。'
    case 'barred':
      return 'このアカウントは無効になっています。別のアカウントを使うか、管理者に連絡してください。'
    case 'no-email':
      return 'このアカウントにはメールアドレスがないため、ログインできません。別のアカウントをお使いください。'
    case 'no-answer':
      return '認証サービスから応答がありません。ネットワークの接続を確認して、もう一度お試しください。'
    case 'failed':
      return `認証に失敗しました: ${notice.message}`
    case 'admission':
      return notice.reason === 'too-many-requests' && notice.retryAfterSeconds !== null
        ? `ログインの回数が多すぎます。${notice.retryAfterSeconds} 秒ほど待ってから、もう一度お試しください。`
        : ADMISSION[notice.reason]
  }
}

/** What is happening right now, or null when nothing is. */
export function describeProgress(state: SignInState): string | null {
  switch (state.status) {
    case 'signing-in':
      if (state.via === 'redirect') return 'Google のログイン画面に移動しています…'
      return state.isSlow
        ? 'Google の画面を待っています。見当たらないときは、このページのままログインできます。'
        : '開いた画面で Google アカウントを選んでください。'
    case 'asking':
      return `${state.email} の閲覧権限を確認しています…`
    case 'admitted':
      return 'ログインしました。ページを開いています…'
    default:
      return null
  }
}
