import siteConfig from '@generated/docusaurus.config'
import tools from '@generated/sekisho-docusaurus/default/tools.json'
import { markdownPathOf } from '@sekisho/contract/page-markdown'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import HeadMenu from './HeadMenu.tsx'
import PageTools from './PageTools.tsx'
import { TOOL_TEXTS } from './texts.ts'
import { applyToolStyles } from './tool-styles.ts'

/** Marks of pages that have their own text, as opposed to lists of others. */
const TEXT = '.docs-doc-page .theme-doc-markdown, .blog-post-page article, .mdx-page article'

let hide: (() => void) | undefined

/** Shows the tools of the text on this page, if it has one, instead of those of the page before. */
export function showTools(): void {
  hide?.()
  hide = mountTools()
}

/** Returns how to take them away. */
function mountTools(): (() => void) | undefined {
  const article = document.querySelector('main article')
  if (article === null || document.querySelector(TEXT) === null) return undefined
  applyToolStyles()
  const texts = TOOL_TEXTS
  const container = document.createElement('div')
  article.append(container)
  const root = createRoot(container)
  const { pathname } = window.location
  const markdown = markdownPathOf(pathname, siteConfig.baseUrl)
  const listeners = new AbortController()
  const copyHeading = (address: string) =>
    void navigator.clipboard.writeText(address).then(
      () => render(texts.headingCopied),
      () => undefined, // the address bar has it
    )
  const render = (news: string): void =>
    root.render(
      <PageTools page={decodeURI(pathname)} markdown={markdown} texts={texts} news={news} tools={tools} />,
    )
  render('')
  const head = tools.markdown ? mountHead(article, <HeadMenu markdown={markdown} texts={texts} />) : null
  article.addEventListener(
    'click',
    ({ target }) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a.hash-link') : null
      if (tools.markdown && link !== null) copyHeading(link.href)
    },
    listeners,
  )
  const pictures = tools.zoom ? article.querySelectorAll<HTMLImageElement>('.markdown img') : []
  for (const image of pictures) offerZoom(image, texts.zoom, listeners.signal)
  return () => {
    listeners.abort()
    head?.()
    root.unmount()
    container.remove()
  }
}

/** Shows something at the upper end of a text; returns how to take it away. */
function mountHead(article: Element, menu: ReactNode): () => void {
  const place = document.createElement('div')
  place.className = 'sekisho-head'
  article.classList.add('sekisho-has-head')
  article.prepend(place)
  const root = createRoot(place)
  root.render(menu)
  return () => {
    root.unmount()
    place.remove()
  }
}

/** A picture that says what it shows and has more to show than fits grows at a click; its code comes then. */
function offerZoom(image: HTMLImageElement, label: string, signal: AbortSignal): void {
  if (image.alt === '' || image.closest('a, button') !== null) return
  const offer = (): void => {
    const isDrawing = /^data:image\/svg|\.svg(?:$|[?#])/.test(image.currentSrc)
    if (!isDrawing && image.naturalWidth <= image.clientWidth) return
    const open = () =>
      void import('./zoom-image.ts').then(
        ({ zoomImage }) => zoomImage(image),
        () => undefined,
      )
    image.tabIndex = 0
    image.setAttribute('role', 'button')
    image.setAttribute('aria-label', `${image.alt}（${label}）`)
    image.classList.add('sekisho-zoomable')
    image.addEventListener('click', open, { signal })
    image.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        open()
      },
      { signal },
    )
  }
  if (image.complete) offer()
  else image.addEventListener('load', offer, { once: true, signal })
}
