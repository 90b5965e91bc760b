import { hash } from 'node:crypto'
import { encodePath } from '@sekisho/contract/canonical-path'
import { ROUTES } from '@sekisho/contract/routes'
import type { GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import { readFormBody } from '../../kernel/json-body.ts'
import type { PageReview } from '../../kernel/page-status.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { problem } from '../../kernel/pages/problem.ts'
import { languageOf, pageLanguage, readerPage } from '../../kernel/pages/reader-page.ts'
import type { Reader, ServedEdition } from '../../kernel/reader.ts'
import { actOf } from '../../kernel/reader-trail.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import { createToday, nameOfDay } from '../../kernel/today.ts'
import {
  type AcknowledgementStore,
  type AskedPage,
  findAskedPage,
  findDone,
  findReviewedPage,
  isAsked,
  listAskedPages,
  readReviewDays,
  reviewDayOf,
  reviewVersion,
} from '../../state/acknowledgements/index.ts'
import { accountKey } from '../../state/limits/index.ts'
import type { Seal } from '../../state/sessions/index.ts'
import { TEXTS } from '../../texts/index.ts'
import { createPageProofs, type PageProof } from './page-proofs.ts'

export interface AcknowledgementsOptions {
  readonly origin: URL
  readonly seal: Seal
  readonly acknowledgements: Pick<AcknowledgementStore, 'add' | 'ofAccount' | 'reviews'>
  readonly audit: Pick<AuditTrail, 'recordDurably'>
  /** IANA name of the time zone that days and times are shown in. */
  readonly timeZone: string
  readonly now: () => number
}

/** Acknowledgement of pages by their readers, and confirmation by their owners. */
export interface Acknowledgements {
  readonly routes: RouteTable
  /** Statement and button of a page, or the day of an earlier acknowledgement; null where the reader is not asked. */
  formOf(reader: Reader, path: string): Promise<Html | null>
  /** Confirmations of a page that asks its owner for reviews; null for any other page. */
  reviewOf(reader: Reader, path: string): Promise<PageReview | null>
  /** Section of the account page with everything still to acknowledge; nothing where that is nothing. */
  openItems(reader: Reader): Promise<readonly Html[]>
  /** Number of pages still to acknowledge. */
  countOpen(reader: Reader): Promise<number>
}

const MAX_FINISHED = 20_000

/** Ids of the forms on their page. */
const FORM_ID = 'sekisho-acknowledge'
const REVIEW_ID = 'sekisho-review'

/**
 * An acknowledgement, or an owner's confirmation, is bound to what the gate served: the form carries a sealed proof of page, content,
 * release and session, and is refused once the content changed. It is in the audit trail before the response leaves.
 */
export function createAcknowledgements(options: AcknowledgementsOptions): Acknowledgements {
  const { origin, seal, acknowledgements: store, audit, timeZone, now } = options
  const proofs = createPageProofs(origin, seal, now)
  const dayOf = (ms: number, lang: string) => nameOfDay(ms, lang, timeZone)
  const today = createToday(options)

  async function formOf(reader: Reader, path: string): Promise<Html | null> {
    const { served } = reader
    const asked = served === null ? null : findAskedPage(served.edition, path)
    if (served === null || asked === null || !isAsked(asked, reader.groups)) return null
    const lang = languageOf(served, path)
    const texts = TEXTS[lang].acknowledgement
    if (!isInPerson(reader)) return html`<p>${texts.notHere}</p>`
    const done = findDone(asked, await store.ofAccount(reader.session))
    if (done !== null)
      return html`<p id="${FORM_ID}"><strong>${texts.done(dayOf(done.atMs, lang))}</strong></p>`
    const { version, page, text } = asked
    const release = served.servedAs
    const proof = proofs.issue(reader.session, { path, version, page, text, release, servedAtMs: now() })
    const isOverdue = asked.request.due < today()
    return html`<form id="${FORM_ID}" method="post" action="${ROUTES.acknowledge.path}" style="margin:0">
<input type="hidden" name="proof" value="${proof}">
<p style="margin:0 0 .5rem">${asked.request.statement ?? texts.statement}</p>
<p style="margin:0 0 .75rem">${texts.due(dayOf(Date.parse(`${asked.request.due}T12:00Z`), lang))}${isOverdue ? html` <strong>${texts.overdue}</strong>` : []}</p>
<button style="${BUTTON_STYLE}">${texts.button}</button></form>`
  }

  async function reviewOf(reader: Reader, path: string): Promise<PageReview | null> {
    const { served, session } = reader
    const reviewed = served === null ? null : findReviewedPage(served.edition, path)
    if (served === null || reviewed === null) return null
    const { owner, page, text } = reviewed
    const day = (await readReviewDays(store, served.edition, [path])).get(path) ?? null
    const version = reviewVersion(today(), served.edition, text)
    if (!isInPerson(reader) || !reader.owns(owner) || day === today()) return { day, form: null }
    const proof = proofs.issue(session, {
      path,
      version,
      page,
      text,
      release: served.servedAs,
      servedAtMs: now(),
    })
    const { button } = TEXTS[languageOf(served, path)].review
    const form = html`<form id="${REVIEW_ID}" method="post" action="${ROUTES.acknowledge.path}" style="margin:.5rem 0 0">
<input type="hidden" name="proof" value="${proof}">
<button style="${BUTTON_STYLE}">${button}</button></form>`
    return { day, form }
  }

  /** Event and facts for the trail of what a proof asks to record; null where it is no longer asked of this reader. */
  function findAsked({ served, groups, owns }: Reader, proof: PageProof) {
    if (served === null) return null
    if (reviewDayOf(proof.version) !== null) {
      const reviewed = findReviewedPage(served.edition, proof.path)
      if (reviewed === null || reviewed.text !== proof.text || !owns(reviewed.owner)) return null
      return { event: 'page_reviewed', id: REVIEW_ID, facts: { owner: reviewed.owner } } as const
    }
    const asked = findAskedPage(served.edition, proof.path)
    if (asked === null || !isAsked(asked, groups) || !isSameContent(asked, proof)) return null
    const facts = { statement: asked.request.statement ?? null }
    return { event: 'page_acknowledged', id: FORM_ID, facts } as const
  }

  const refuse = (
    served: ServedEdition | null,
    code: 'changed' | 'again' | 'notHere',
    path: string | null,
  ) => {
    const texts = TEXTS[pageLanguage(served?.site ?? null)].acknowledgement
    const back = path === null ? '/' : encodePath(path)
    const main = html`<p>${texts[code]}</p><p><a class="button" href="${back}">${texts.back}</a></p>`
    return readerPage({ site: served?.site ?? null, title: texts.title, main, status: 409 })
  }

  const acknowledge: ReaderHandler = async (request, reader, context) => {
    const { served, session } = reader
    if (!isInPerson(reader)) return refuse(served, 'notHere', null)
    const form = await readFormBody(request, ROUTES.acknowledge.maxBodyBytes)
    const proof = proofs.open(session, form?.get('proof') ?? '')
    if (proof === null) return problem('bad_request')
    const asked = findAsked(reader, proof)
    if (asked === null)
      return refuse(served, 'changed', served?.edition.files.has(proof.path) === true ? proof.path : null)
    if (findDone(proof, await store.ofAccount(session)) !== null) return refuse(served, 'again', proof.path)
    const { path, version, page, text, release } = proof
    const about = { path, version, content: page, text, release, ...asked.facts }
    await audit.recordDurably(asked.event, { ...actOf(reader, context), ...about })
    const { issuer, sub, email } = session
    const done = { issuer, sub, email, path, version, page, text, release, atMs: now() }
    if (!(await store.add(done))) return refuse(served, 'again', path)
    return seeOther(`${encodePath(path)}#${asked.id}`)
  }

  /** Hashes of accounts with all they are asked for, which they have acknowledged: every page carries the number, and asks no store for theirs. */
  const finishedOf = new WeakMap<object, Set<string>>()

  async function listOpen({ served, viewingAs, groups, session }: Reader): Promise<readonly AskedPage[]> {
    if (served === null || viewingAs !== null) return []
    const asked = listAskedPages(served.edition).filter((page) => isAsked(page, groups))
    if (asked.length === 0) return []
    const finished = finishedOf.get(served.edition) ?? new Set()
    const key = hash('sha256', [accountKey(session), ...asked.map(({ path }) => path)].join('\n'))
    if (finished.has(key)) return []
    const done = await store.ofAccount(session)
    const open = asked.filter((page) => findDone(page, done) === null)
    if (open.length === 0)
      finishedOf.set(served.edition, finished.size < MAX_FINISHED ? finished.add(key) : new Set([key]))
    return open
  }

  return {
    routes: new Map([readerRoute(ROUTES.acknowledge, { POST: acknowledge })]),
    formOf,
    reviewOf,
    async openItems(reader) {
      const open = await listOpen(reader)
      if (open.length === 0) return []
      const lang = pageLanguage(reader.served?.site ?? null)
      const texts = TEXTS[lang].acknowledgement
      const items = open
        .toSorted((one, other) => (one.request.due < other.request.due ? -1 : 1))
        .map(({ path, title, request }) => {
          const due = texts.due(dayOf(Date.parse(`${request.due}T12:00Z`), lang))
          const tag = request.due < today() ? html` <span class="tag">${texts.overdue}</span>` : []
          return html`<li><div><a href="${encodePath(path)}#${FORM_ID}">${title}</a>${tag}<br><span class="quiet">${due}</span></div></li>`
        })
      return [html`<h2 id="acknowledgements">${texts.open}</h2>\n<ul class="card">${items}</ul>\n`]
    },
    countOpen: async (reader) => (await listOpen(reader)).length,
  }
}

/** Tells if a person reads their own edition in a browser: neither an agent nor one who views another edition confirms anything. */
const isInPerson = ({ via, viewingAs }: Reader): boolean => via === 'session' && viewingAs === null

/** In the colours of the page, whatever its style sheet. */
const BUTTON_STYLE =
  'font:inherit;font-weight:700;padding:.6rem 1.25rem;border:2px solid;border-radius:6px;background:CanvasText;color:Canvas;cursor:pointer'

/** Text and version as they were served. Pages are rebuilt with other file names of scripts; that changes nothing to read. */
const isSameContent = (asked: AskedPage, proof: PageProof): boolean =>
  asked.version === proof.version && asked.text === proof.text

const seeOther = (location: string): GateResponse =>
  new Response(null, { status: 303, headers: { Location: location } })
