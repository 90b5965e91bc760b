// Included by pages that have no theme of ours: `<script src="/__gate/bar.js" defer></script>`; with `data-buttons="none"` it only tells
// readers that their session has ended. The same for everybody: the gate puts in its addresses.
{
  const SEARCH = '%search%'
  const ACCOUNT = '%account%'
  const SESSION = '%session%'
  const ASK = '%ask%' // empty where readers cannot ask
  const hasButtons = document.currentScript?.dataset.buttons !== 'none'
  const TEXTS = document.documentElement.lang.startsWith('ja')
    ? {
        search: '検索',
        ask: '質問する',
        account: 'アカウント',
        open: (count) => `（未確認 ${count}）`,
        close: '閉じる',
        none: '見つかりませんでした。',
        failed: 'いまは検索できません。',
        ended: 'ログインの有効期限が切れたため、ページを読み込めません。',
        again: 'もう一度ログイン',
      }
    : {
        search: 'Search',
        ask: 'Ask',
        account: 'Account',
        open: (count) => ` (${count} to acknowledge)`,
        close: 'Close',
        none: 'Nothing was found.',
        failed: 'Search is not available now.',
        ended: 'Your session has ended, so pages cannot be loaded.',
        again: 'Log in again',
      }
  const STYLE = `
    :host { all: initial; color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
    nav { position: fixed; inset: auto 1rem 1rem auto; z-index: 2147483647; display: flex; gap: 0.5rem; }
    nav > *, dialog button { font: inherit; color: CanvasText; background: Canvas; border: 1px solid GrayText;
      border-radius: 0.5rem; padding: 0.25rem 0.75rem; text-decoration: none; cursor: pointer; }
    dialog { width: min(40rem, 90vw); max-height: 80vh; border: 1px solid GrayText; border-radius: 0.5rem; }
    form { display: flex; gap: 0.5rem; }
    input { flex: 1; min-width: 0; font: inherit; padding: 0.25rem 0.5rem; }
    ol { padding-left: 1.5rem; overflow-wrap: anywhere; }
    small { display: block; opacity: 0.8; }
    [role='alert'] { position: fixed; inset: 0 0 auto; z-index: 2147483647; margin: 0; padding: 0.75rem 1rem; text-align: center;
      color: CanvasText; background: Canvas; border-bottom: 2px solid; }
    @media print { nav { display: none; } }`

  /** @param {string} tag @param {Record<string, unknown>} properties @param {(Node | string)[]} children */
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children)
    return element
  }

  const status = make('p', { role: 'status' })
  const list = make('ol', {})
  const input = make('input', {
    type: 'search',
    name: 'q',
    maxLength: 500,
    required: true,
    ariaLabel: TEXTS.search,
  })
  const form = make('form', { role: 'search' }, input, make('button', {}, TEXTS.search))
  const close = make('button', { type: 'button', onclick: () => dialog.close() }, TEXTS.close)
  form.append(close)
  const dialog = make('dialog', { ariaLabel: TEXTS.search }, form, status, list)

  const show = () => {
    if (!dialog.open) dialog.showModal()
    input.focus()
  }

  const item = ({ url, target = url, title, sections }) => {
    const snippet = sections[0]?.snippet.text ?? ''
    return make(
      'li',
      {},
      make('a', { href: target, onclick: () => dialog.close() }, title),
      make('small', {}, snippet),
    )
  }

  let asked = 0
  form.onsubmit = async (event) => {
    event.preventDefault()
    const turn = ++asked
    // Which language it is asked for follows the page's folder.
    const query = new URLSearchParams({ q: input.value, base: location.pathname })
    const response = await fetch(`${SEARCH}?${query}`).catch(() => null)
    if (turn !== asked) return
    if (response?.status === 401) return location.reload()
    const results = response?.ok ? (await response.json()).results : null
    if (turn !== asked) return
    status.textContent = results === null ? TEXTS.failed : results.length === 0 ? TEXTS.none : ''
    list.replaceChildren(...(results ?? []).map(item))
  }
  if (hasButtons)
    addEventListener('keydown', (event) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
      event.preventDefault()
      show()
    })

  // A site that loads pages by scripts takes a refused one for a page that is not there.
  const MIN_MS = 2_000
  let askedMs = -MIN_MS
  let pending = 0
  const askSession = async () => {
    askedMs = performance.now()
    const response = await fetch(SESSION, { cache: 'no-store' }).catch(() => null)
    if (response?.status !== 401 || host.shadowRoot.querySelector('[role=alert]') !== null) return
    const again = make('a', { href: '', onclick: () => location.reload() }, TEXTS.again)
    host.shadowRoot.append(make('p', { role: 'alert' }, `${TEXTS.ended} `, again))
  }
  const look = () => {
    clearTimeout(pending)
    pending = setTimeout(askSession, Math.max(100, askedMs + MIN_MS - performance.now()))
  }
  const lookWhenShown = () => document.visibilityState === 'visible' && look()
  document.addEventListener('visibilitychange', lookWhenShown)
  addEventListener('popstate', look)
  for (const name of ['pushState', 'replaceState']) {
    const change = history[name]
    history[name] = function (...state) {
      const before = location.pathname
      change.apply(this, state)
      if (location.pathname !== before) look()
    }
  }
  // Names a refused script or fetch, where browsers tell (`responseStatus`).
  new PerformanceObserver((seen) => {
    if (seen.getEntries().some((entry) => entry.responseStatus === 401 && !entry.name.endsWith(SESSION)))
      look()
  }).observe({ type: 'resource' })

  const ask = async () => {
    const { openAsk } = await import(ASK)
    openAsk({ page: location.pathname, selection: String(getSelection()).slice(0, 4_000) })
  }
  // Told with this document while there are any.
  const [{ serverTiming = [] } = {}] = performance.getEntriesByType('navigation')
  const open = serverTiming.find(({ name }) => name === 'asked')?.description
  const host = make('div', { id: 'sekisho-bar' })
  const nav = make(
    'nav',
    {},
    make('button', { type: 'button', onclick: show }, TEXTS.search),
    ...(ASK === '' ? [] : [make('button', { type: 'button', onclick: ask }, TEXTS.ask)]),
    make('a', { href: ACCOUNT }, TEXTS.account, open === undefined ? '' : TEXTS.open(open)),
  )
  host.attachShadow({ mode: 'open' }).append(make('style', {}, STYLE), ...(hasButtons ? [nav, dialog] : []))
  const add = () => {
    document.body.append(host)
    // The gate's banner is at the same edge, and as high as its text is long.
    const banner = document.querySelector('[data-sekisho-notices], [data-sekisho-open]')
    const stepAside = () => (nav.style.marginBottom = `${banner.offsetHeight}px`)
    if (banner !== null) new ResizeObserver(stepAside).observe(banner)
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', add)
  else add()
}
