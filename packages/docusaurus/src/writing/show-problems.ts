import { DEV_PROBLEMS_PATH } from '@sekisho/contract/paths'

const isJapanese = process.env.PAGE_LANGUAGE === 'ja'
const TEXTS = isJapanese
  ? { title: '直すところ', close: '閉じる' }
  : { title: 'To be mended', close: 'Close' }

const STYLE =
  'position:fixed;z-index:900;inset-block-end:1rem;inset-inline-start:1rem;max-inline-size:min(44rem,calc(100vw - 2rem));' +
  'max-block-size:45vh;overflow:auto;padding:1rem;border:2px solid #b3261e;border-radius:.5rem;background:#fff8f7;color:#410e0b;' +
  'box-shadow:0 4px 16px #0004;font-size:.9rem;line-height:1.7'

/** Shows over the page, without covering all of it, what a writer has to mend; gone as soon as it is mended. */
function showProblems(problems: readonly string[]): void {
  const id = 'sekisho-problems'
  const known = document.getElementById(id)
  if (problems.length === 0) {
    known?.remove()
    return
  }
  const panel = known ?? document.createElement('section')
  panel.id = id
  panel.setAttribute('style', STYLE)
  panel.setAttribute('role', 'status')
  const title = document.createElement('strong')
  title.textContent = `${TEXTS.title}（${problems.length}）`
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = TEXTS.close
  close.style.cssText = 'float:inline-end;min-block-size:2.75rem;min-inline-size:4.5rem'
  close.onclick = () => panel.remove()
  const list = document.createElement('ul')
  list.style.cssText =
    'margin-block:.5rem 0;padding-inline-start:1.2rem;white-space:pre-line;overflow-wrap:anywhere'
  list.append(
    ...problems.map((problem) => {
      const item = document.createElement('li')
      item.textContent = problem
      return item
    }),
  )
  panel.replaceChildren(close, title, list)
  if (known === null) document.body.append(panel)
}

/** Headings of the bundler's overlay, which knows English alone. */
const HEADINGS: Readonly<Record<string, string>> = {
  'Compiled with problems:': 'ページを組み立てられません：',
  'Uncaught runtime errors:': '表示中に起きたエラー：',
}

/** Says the overlay's heading in Japanese, whenever one is shown. */
function translateOverlay(): void {
  const frame = document.getElementById('webpack-dev-server-client-overlay')
  const page = frame instanceof HTMLIFrameElement ? frame.contentDocument : null
  for (const part of page?.querySelectorAll('div') ?? []) {
    const said = HEADINGS[part.innerText.trim()]
    if (said !== undefined) part.innerText = said
  }
}

if (typeof document !== 'undefined' && isJapanese)
  new MutationObserver(() => {
    for (const ms of [100, 1_000]) setTimeout(translateOverlay, ms) // its frame loads by itself
  }).observe(document.body, { childList: true })

if (typeof document !== 'undefined')
  new EventSource(DEV_PROBLEMS_PATH).onmessage = ({ data }) => {
    const list: unknown = JSON.parse(String(data))
    if (Array.isArray(list)) showProblems(list.map(String))
  }
