import { encodePath } from '@sekisho/contract/canonical-path'
import { ROUTES } from '@sekisho/contract/routes'
import { type Html, html } from '../../kernel/pages/html.ts'
import type { ServedEdition } from '../../kernel/reader.ts'
import type { LoggedRelease } from './changes-worker.ts'

interface AtomFeed {
  readonly served: ServedEdition
  readonly log: readonly LoggedRelease[]
  readonly origin: URL
  /** Name of the feed, and of a change by its kind. */
  readonly name: string
  readonly kinds: Readonly<Record<'new' | 'changed', string>>
}

const MAX_ENTRIES = 100
/** XML has no notation for these. */
const withoutControls = (text: string): string => text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ')

/** Writes the changes of an edition as an Atom feed (RFC 4287), the newest first. */
export function atomFeed({ served, log, origin, name, kinds }: AtomFeed): Html {
  const { site } = served
  const addressOf = (path: string) => new URL(encodePath(path), origin).href
  const self = new URL(ROUTES.changesFeed.path, origin).href
  const entries = log
    .flatMap(({ id, createdAt, pages }) => pages.map((page) => ({ ...page, id, createdAt })))
    .slice(0, MAX_ENTRIES)
    .map(
      ({ id, createdAt, path, title, kind }) => html`<entry>
<title>${kinds[kind]}: ${withoutControls(title)}</title>
<id>${addressOf(path)}#${id}</id>
<updated>${createdAt}</updated>
<link href="${addressOf(path)}"/>
</entry>
`,
    )
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${site.lang}">
<title>${name} | ${withoutControls(site.title)}</title>
<id>${self}</id>
<updated>${log[0]?.createdAt ?? '1970-01-01T00:00:00Z'}</updated>
<author><name>${withoutControls(site.title)}</name></author>
<link rel="self" href="${self}"/>
<link rel="alternate" type="text/html" href="${new URL(ROUTES.whatsNew.path, origin).href}"/>
${entries}</feed>
`
}
