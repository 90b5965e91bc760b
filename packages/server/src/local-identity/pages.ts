import { GATE_STYLE } from '@sekisho/contract/gate-style'
import { type Html, html } from '../kernel/pages/html.ts'
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

/** Style of the account picker: that of the gate's own pages, and its rows. */
export const PICKER_STYLE = `${GATE_STYLE}
.account{flex:1;gap:.875rem;justify-content:start;padding-inline:0;border:0;background:none;text-align:start}
.initial{display:grid;flex:none;width:2.25rem;height:2.25rem;place-items:center;border-radius:50%;background:var(--notice-paper);color:var(--accent)}
.name{display:block;font-weight:700}
summary{padding-block:.75rem;cursor:pointer}
`

/** The account picker: what a reader sees in place of Google's own page while nothing is online. */
export function pickerPage(accounts: readonly Account[]): string {
  const members = accounts.filter(isMember)
  const others = accounts.filter((account) => !isMember(account))
  return html`<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>アカウントの選択 | ローカル認証</title>
<link rel="stylesheet" href="${PATHS.pickerStyle}">
</head>
<body>
<main>
<p><span class="tag">ローカル認証</span></p>
<h1>アカウントの選択</h1>
<p class="quiet">お試し用の認証です。Google には接続しません。使うアカウントを選んでください。</p>
<p class="alarm" id="problem" role="alert" hidden></p>
<noscript><p class="alarm">ログインには JavaScript が必要です。</p></noscript>
${group('members', 'メンバー', members)}
${group('others', '入れないことを確かめるアカウント', others)}
<details class="card">
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
<ul class="card">
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
<span><span class="name">${name}</span><span class="quiet">${detail}</span></span>
</button></li>
`
}
