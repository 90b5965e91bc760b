import { hash } from 'node:crypto'
import { GATE_STYLE } from '@sekisho/contract/gate-style'
import { type Language, pickLanguage } from '@sekisho/contract/language'
import type { Edition, Manifest } from '@sekisho/release'
import type { GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import { Html, html } from './html.ts'
import { PAGE_SCRIPT, PAGE_SCRIPT_SOURCE } from './page-script.ts'

/** Content policy of a page without scripts, resources and frames: its one style is named by its hash. */
export const PAGE_POLICY = policyOf("'self'")

interface ReaderPolicy {
  /** Sources of scripts beside the page's own. */
  readonly scripts?: readonly string[]
  /** Address that forms are sent to. */
  readonly formAction?: string
}

/** Content policy of a page for readers, which holds {@link PAGE_SCRIPT} too. */
export function readerPolicy({ scripts = [], formAction = "'self'" }: ReaderPolicy = {}): string {
  const sources = [...scripts, PAGE_SCRIPT_SOURCE].join(' ')
  return `${policyOf(formAction)}; script-src ${sources}; connect-src 'self'`
}

function policyOf(formAction: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', GATE_STYLE, 'base64')}'`,
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const READER_POLICY = readerPolicy()

/** The language of the gate's own pages: Japanese for a site in Japanese and where there is no release, else English. */
export function pageLanguage(site: Manifest['site'] | null): Language {
  return pickLanguage(site?.lang ?? 'ja')
}

/** The language of a page of the site: its own, or that of the site. */
export function languageOf(
  { site, edition }: { readonly site: Manifest['site']; readonly edition: Pick<Edition, 'files'> },
  path: string,
): Language {
  const lang = edition.files.get(path)?.page?.lang
  return lang === undefined ? pageLanguage(site) : pickLanguage(lang)
}

interface ReaderPage {
  readonly site: Manifest['site'] | null
  readonly title: string
  readonly main: Html
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A page of the gate's own for a signed-in reader, as text. */
export function readerPageHtml({ site, title, main }: Pick<ReaderPage, 'site' | 'title' | 'main'>): string {
  const name = site?.title ?? 'Sekisho'
  const page = html`<!doctype html>
<html lang="${pageLanguage(site)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} | ${name}</title>
<style>${new Html(GATE_STYLE)}</style>
<script>${new Html(PAGE_SCRIPT)}</script>
</head>
<body>
<header><a href="/">${name}</a></header>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
  return page.text
}

/** A page of the gate's own for a signed-in reader. */
export function readerPage({ status = 200, headers = {}, ...page }: ReaderPage): GateResponse {
  return new BytesResponse(readerPageHtml(page), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': READER_POLICY,
      ...headers,
    },
  })
}
