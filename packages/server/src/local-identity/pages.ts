import type { Account } from './accounts/account.ts'
import { LOCAL_DOMAIN } from './accounts/options.ts'
import { PATHS } from './paths.ts'

/** The invisible frame that hands a finished sign-in to the page that requested it. */
export const FRAME_PAGE = `<!doctype html>
<html lang="ja">
<meta charset="utf-8">
<title>ローカル認証の中継</title>
<script src="${PATHS.frameScript}"></script>
</html>
`

export function framePolicy(origin: string): string {
  return `default-src 'none'; script-src ${origin}${PATHS.frameScript}; base-uri 'none'; frame-ancestors 'self'`
}

/** Only this page's own script and style; the picker is opened as a window, never framed. */
export function pickerPolicy(origin: string): string {
  return [
    "default-src 'none'",
    `script-src ${origin}${PATHS.pickerScript}`,
    `style-src ${origin}${PATHS.pickerStyle}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The account picker: what a reader sees in place of Google's own page while nothing is online. */
export function pickerPage(accounts: readonly Account[]): string {
  const members = accounts.filter(isMember)
  const others = accounts.filter((account) => !isMember(account))
  return html`<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>アカウントの選択 | ローカル認証</title>
<link rel="stylesheet" href="${PATHS.pickerStyle}">
</head>
<body>
<main>
<header>
<p class="badge">ローカル認証</p>
<h1>アカウントの選択</h1>
<p class="lead">お試し用の認証です。Google には接続しません。使うアカウントを選んでください。</p>
</header>
<p class="problem" id="problem" role="alert" hidden></p>
<noscript><p class="problem">ログインには JavaScript が必要です。</p></noscript>
${group('members', 'メンバー', members)}
${group('others', '入れないことを確かめるアカウント', others)}
<details>
<summary>別のアカウントを作る</summary>
<form id="new-account">
<label>メールアドレス<input name="email" type="email" required autocomplete="off" placeholder="taro.yamada@${LOCAL_DOMAIN}"></label>
<label>表示名（任意）<input name="displayName" autocomplete="off" placeholder="山田 太郎"></label>
<button class="primary" type="submit" disabled>作成してログイン</button>
</form>
</details>
</main>
<script src="${PATHS.pickerScript}"></script>
</body>
</html>
`.text
}

function isMember(account: Account): boolean {
  return account.email?.endsWith(`@${LOCAL_DOMAIN}`) === true
}

function group(id: string, title: string, accounts: readonly Account[]): Html {
  if (accounts.length === 0) return html``
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<ul>
${accounts.map(row)}
</ul>
</section>`
}

function row(account: Account): Html {
  const name = account.displayName ?? account.email ?? account.localId
  const known = account.displayName === null ? '表示名なし' : (account.email ?? 'メールアドレスなし')
  const detail = account.disabled ? '無効にされたアカウント' : known
  const claims = {
    sub: account.googleId,
    name: account.displayName ?? undefined, // left out of the JSON: a claim is never null
    email: account.email ?? undefined,
    email_verified: true,
  }
  return html`<li><button type="button" class="account" disabled data-claims="${JSON.stringify(claims)}">
<span class="initial" aria-hidden="true">${[...name][0] ?? '?'}</span>
<span class="who"><span class="name">${name}</span><span class="detail">${detail}</span></span>
</button></li>
`
}

/** Markup that needs no further escaping. */
interface Html {
  readonly text: string
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template whose every inserted string is escaped; inserted {@link Html} is taken as it is. */
function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  return { text: parts.reduce((text, part, index) => text + markup(values[index - 1] ?? '') + part) }
}

function markup(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
  return 'text' in value ? value.text : value.map((entry) => entry.text).join('')
}
