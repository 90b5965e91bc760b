import siteConfig from '@generated/docusaurus.config'
import { createRoot, type Root } from 'react-dom/client'
import { readTryRequest, TRY_CLASS } from './request.ts'
import TryIt from './TryIt.tsx'
import { tryTexts } from './texts.ts'

const STYLES = `
  .sekisho-try__panel { border: 1px solid var(--ifm-toc-border-color); border-radius: var(--ifm-global-radius); display: grid; font-size: 0.875rem; gap: 1rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); margin-block: 1.5rem; padding: 1rem; }
  .sekisho-try__panel > * { min-inline-size: 0; }
  .sekisho-try__panel h3 { font-size: 1rem; margin: 0 0 0.5rem; }
  .sekisho-try__panel p { margin-block-end: 0.75rem; overflow-wrap: anywhere; }
  .sekisho-try__panel :is(input, select) { background: var(--ifm-background-surface-color); border: 1px solid var(--ifm-color-emphasis-600); border-radius: var(--ifm-global-radius); color: inherit; display: block; font: inherit; inline-size: 100%; margin-block: 0.25rem 0.75rem; min-block-size: 44px; padding: 0.35rem 0.5rem; }
  .sekisho-try__panel .button { min-block-size: 44px; }
  .sekisho-try__panel summary { cursor: pointer; min-block-size: 44px; padding-block: 0.6rem; }
  .sekisho-try__answer { align-self: start; inset-block-start: calc(var(--ifm-navbar-height) + 1rem); position: sticky; }
  .sekisho-try__answer pre { max-block-size: 24rem; margin: 0; overflow: auto; }
  @media print { .${TRY_CLASS} { display: none; } }
`

let isStyled = false
let shown: readonly Root[] = []

/** Makes requests of an API page tried where it offers them, and shows in its samples the address by which the reader knows the portal. */
export function showTryIt(): void {
  for (const root of shown) root.unmount()
  shown = []
  nameOwnAddress()
  const offers = document.querySelectorAll<HTMLElement>(`article .${TRY_CLASS}`)
  if (offers.length === 0) return
  applyStyles()
  const texts = tryTexts(document.documentElement.lang)
  const isPreview = document.querySelector('[data-sekisho-notice="preview"]') !== null
  shown = Array.from(offers, (offer) => {
    const request = isPreview ? null : readTryRequest(offer.dataset.request ?? 'null')
    const root = createRoot(offer)
    root.render(request === null ? <p>{texts.refused}</p> : <TryIt request={request} texts={texts} />)
    return root
  })
}

function nameOwnAddress(): void {
  const built = siteConfig.url.replace(/\/$/, '')
  const { origin } = window.location
  if (built === origin) return
  for (const code of document.querySelectorAll('article code')) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      if (node.nodeValue?.includes(built) === true) node.nodeValue = node.nodeValue.replaceAll(built, origin)
    }
  }
}

function applyStyles(): void {
  if (isStyled) return
  isStyled = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets.push(sheet)
}
