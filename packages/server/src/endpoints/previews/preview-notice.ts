import type { Preview } from '@sekisho/release'
import { html } from '../../kernel/pages/html.ts'
import { pageLanguage } from '../../kernel/pages/reader-page.ts'
import type { ServedEdition } from '../../kernel/reader.ts'
import { TEXTS } from '../../texts/index.ts'

const LINK_STYLE = 'color:#fff;text-decoration:underline'

interface PreviewNoticeOptions {
  readonly portal: URL
  /** By whose calendar a preview ends, as an IANA name. */
  readonly timeZone: string
}

/** Names the preview of a page, in the language of its site. */
export function previewNotice(
  { branch, commit, expiresAtMs, name }: Preview,
  { portal, timeZone }: PreviewNoticeOptions,
  site: ServedEdition['site'] | null,
) {
  const lang = pageLanguage(site)
  const day = new Date(expiresAtMs).toLocaleDateString(lang, { month: 'long', day: 'numeric', timeZone })
  const { label, about, back } = TEXTS[lang].previewNotice
  const text = about({ name, branch, commit: commit.slice(0, 9), day })
  const content = html`${text}<a href="${portal.origin}/" style="${LINK_STYLE}">${back}</a>`
  return { kind: 'preview' as const, lang, label, content }
}
