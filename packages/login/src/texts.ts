import type { EndReason } from '@sekisho/contract/session-response'
import type { AdmissionFailure, Notice, SignInState } from './sign-in/state.ts'

/** What the page says, in one of its languages. */
interface Texts {
  readonly invitation: {
    readonly title: string
    /** Whose account is needed, by the one provider there is; null when readers may choose. */
    readonly lead: (label: string | null) => string
  }
  /** `lead` follows the account's address. */
  readonly refusal: { readonly title: string; readonly lead: string; readonly advice: string }
  readonly configurationError: { readonly title: string; readonly advice: string }
  readonly secureNote: string
  readonly logInOnThisPage: string
  /** The alert for a click while the identity service was never started. */
  readonly notConfigured: string
  readonly timedOut: string
  readonly failed: (message: string) => string
  /** Why a session ended, and what to do now. */
  readonly ended: Readonly<Record<EndReason, string>>
  readonly notices: Readonly<Record<Exclude<Notice['kind'], 'failed' | 'admission'>, string>>
  readonly admission: Readonly<Record<Exclude<AdmissionFailure, 'not-configured'>, string>>
  readonly waitSeconds: (seconds: number) => string
  readonly progress: {
    readonly redirect: (label: string) => string
    readonly popup: (label: string) => string
    readonly slowPopup: (label: string) => string
    readonly asking: (email: string) => string
    readonly admitted: string
  }
}

export const JAPANESE: Texts = {
  invitation: {
    title: 'ログインが必要です',
    lead: (label) =>
      `このサイトを見るには、${label === null ? '' : `${label} アカウントでの`}ログインが必要です。`,
  },
  refusal: {
    title: 'このアカウントでは閲覧できません',
    lead: ' には、このサイトの閲覧が許可されていません。',
    advice: '別のアカウントでログインするか、管理者に連絡してください。',
  },
  configurationError: {
    title: '認証サービスの設定エラー',
    advice: '環境変数とコンソールログを確認してください。',
  },
  secureNote: '安全な認証システムで保護されています。パスワードがこのサイトに渡ることはありません。',
  logInOnThisPage: 'このページのままログイン',
  notConfigured: '認証サービスの設定が正しくありません。管理者に連絡してください。',
  timedOut: '時間内に応答がありませんでした',
  failed: (message) => `認証に失敗しました: ${message}`,
  ended: {
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
  },
  notices: {
    cancelled: 'ログインは完了していません。もう一度お試しください。',
    barred: 'このアカウントは無効になっています。別のアカウントを使うか、管理者に連絡してください。',
    'no-email':
      'このアカウントにはメールアドレスがないため、ログインできません。別のアカウントをお使いください。',
    expired: 'ログインに時間がかかりすぎたか、別のブラウザーで続けられました。もう一度ログインしてください。',
    tenant: 'このサイトで使える組織のアカウントではありません。別のアカウントでログインしてください。',
    'no-answer': '認証サービスから応答がありません。ネットワークの接続を確認して、もう一度お試しください。',
  },
  admission: {
    rejected: 'ログイン情報を確認できませんでした。もう一度ログインしてください。',
    'too-many-requests': 'ログインの回数が多すぎます。しばらく待ってから、もう一度お試しください。',
    'identity-unavailable':
      '認証サービスが一時的に利用できません。しばらくしてから、もう一度お試しください。',
    unreachable: 'サーバーに接続できません。ネットワークの接続を確認して、もう一度お試しください。',
    'cookie-lost':
      'ブラウザーにログインの記録を保存できませんでした。このサイトの Cookie を許可して、もう一度お試しください。',
    unexpected: 'ログインを完了できませんでした。繰り返す場合は管理者に連絡してください。',
  },
  waitSeconds: (seconds) =>
    `ログインの回数が多すぎます。${seconds} 秒ほど待ってから、もう一度お試しください。`,
  progress: {
    redirect: (label) => `${label} のログイン画面に移動しています…`,
    popup: (label) => `開いた画面で ${label} アカウントを選んでください。`,
    slowPopup: (label) =>
      `${label} の画面を待っています。見当たらないときは、このページのままログインできます。`,
    asking: (email) => `${email} の閲覧権限を確認しています…`,
    admitted: 'ログインしました。ページを開いています…',
  },
}

export const ENGLISH: Texts = {
  invitation: {
    title: 'Please log in',
    lead: (label) =>
      `You need to log in ${label === null ? '' : `with ${article(label)} ${label} account `}to see this site.`,
  },
  refusal: {
    title: 'This account has no access',
    lead: ' is not allowed to see this site.',
    advice: 'Log in with another account, or ask your administrator.',
  },
  configurationError: {
    title: 'The identity service is not configured correctly',
    advice: 'Check the environment variables and the console.',
  },
  secureNote: 'Protected by a secure sign-in. This site never sees your password.',
  logInOnThisPage: 'Log in on this page instead',
  notConfigured: 'The identity service is not configured correctly. Please ask your administrator.',
  timedOut: 'there was no answer in time',
  failed: (message) => `Logging in failed: ${message}`,
  ended: {
    idle: 'You were logged out because you were away for a while. Log in again to return to this page.',
    absolute: 'Your login has expired. Log in again to return to this page.',
    revoked: 'An administrator ended this login. Log in again to go on.',
    elsewhere: 'This login was ended from another browser. If that was not you, tell your administrator.',
    account:
      'You were logged out because the account was disabled or changed. Please ask your administrator.',
    unproven: 'You were logged out because the account could not be confirmed again. Please log in again.',
    policy:
      'You were logged out because this account is no longer allowed in. Please ask your administrator.',
    replaced: 'This account was logged in too many times, so an unused login was ended. Please log in again.',
  },
  notices: {
    cancelled: 'You are not logged in yet. Please try again.',
    barred: 'This account is disabled. Use another one, or ask your administrator.',
    'no-email': 'This account has no mail address, so it cannot log in. Please use another one.',
    expired: 'Logging in took too long, or went on in another browser. Please log in again.',
    tenant: 'This account is not of an organization that may log in here. Please use another account.',
    'no-answer': 'The identity service does not answer. Check your network connection and try again.',
  },
  admission: {
    rejected: 'Your login could not be confirmed. Please log in again.',
    'too-many-requests': 'Too many logins. Please wait a moment and try again.',
    'identity-unavailable':
      'The identity service is not available at the moment. Please try again in a while.',
    unreachable: 'The server cannot be reached. Check your network connection and try again.',
    'cookie-lost': 'Your browser did not keep the login. Allow cookies for this site and try again.',
    unexpected: 'Logging in did not work. If it happens again, please tell your administrator.',
  },
  waitSeconds: (seconds) => `Too many logins. Please wait about ${seconds} seconds and try again.`,
  progress: {
    redirect: (label) => `Going to the ${label} login page…`,
    popup: (label) => `Choose ${article(label)} ${label} account in the window that opened.`,
    slowPopup: (label) =>
      `Waiting for the ${label} window. If you cannot find it, you can log in on this page.`,
    asking: (email) => `Checking what ${email} may see…`,
    admitted: 'You are logged in. Opening the page…',
  },
}

const article = (label: string) => (/^[aeiou]/i.test(label) ? 'an' : 'a')

/** In the language of the document, which the gate chose; there is none where the shell is built. */
export const TEXTS: Texts = globalThis.document?.documentElement.lang === 'en' ? ENGLISH : JAPANESE

/** What went wrong, and what to do about it. */
export function describeNotice(notice: Notice, texts = TEXTS): string {
  if (notice.kind === 'failed') return texts.failed(notice.message)
  if (notice.kind !== 'admission') return texts.notices[notice.kind]
  if (notice.reason === 'not-configured') return texts.notConfigured
  return notice.reason === 'too-many-requests' && notice.retryAfterSeconds !== null
    ? texts.waitSeconds(notice.retryAfterSeconds)
    : texts.admission[notice.reason]
}

/** What is happening right now, or null when nothing is. */
export function describeProgress(state: SignInState, { progress } = TEXTS): string | null {
  switch (state.status) {
    case 'signing-in':
      if (state.via === 'redirect') return progress.redirect(state.label)
      return state.isSlow ? progress.slowPopup(state.label) : progress.popup(state.label)
    case 'asking':
      return progress.asking(state.email)
    case 'admitted':
      return progress.admitted
    default:
      return null
  }
}
