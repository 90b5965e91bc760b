import type { Language } from '@sekisho/contract/language'
import { AGENT_ROUTES, ROUTES } from '@sekisho/contract/routes'
import { DEFAULT_EDITION } from '@sekisho/release'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import type { SessionCookies } from '../../kernel/client/session-cookies.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { problem } from '../../kernel/pages/problem.ts'
import { pageLanguage, readerPage } from '../../kernel/pages/reader-page.ts'
import type { Reader } from '../../kernel/reader.ts'
import { actOf } from '../../kernel/reader-trail.ts'
import type { Grant, Grants } from '../../state/grants/index.ts'
import type { Account, Sessions } from '../../state/sessions/index.ts'
import { TEXTS } from '../../texts/index.ts'

interface OwnAgentsOptions {
  readonly origin: URL
  readonly grants: Pick<Grants, 'ofAccount' | 'end' | 'makePersonal'>
  readonly sessions: Pick<Sessions, 'createOfflineSession'>
  readonly cookies: SessionCookies
  readonly audit: Pick<AuditTrail, 'record' | 'recordDurably'>
  /** Readers may create personal tokens for scripts. */
  readonly hasPersonalTokens: boolean
  readonly now: () => number
}

/** Actions of readers on their agents and personal tokens. */
export interface OwnAgents {
  /** The part of the account page. */
  section(account: Account, lang: Language, timeZone: string): Promise<readonly Html[]>
  /** Ends one grant or token of the account. */
  end(reader: Reader, id: string, context: RequestContext): Promise<GateResponse>
  /** Makes a token and shows it this once. */
  makeToken(
    request: GateRequest,
    name: string,
    days: string,
    reader: Reader,
    context: RequestContext,
  ): Promise<GateResponse>
}

const DAY_MS = 86_400_000
const DEFAULT_DAYS = '90'
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,40}$/u

export function createOwnAgents(options: OwnAgentsOptions): OwnAgents {
  const { origin, grants, sessions, cookies, audit, hasPersonalTokens, now } = options

  function refusal({ served }: Reader, what: 'bad' | 'many'): GateResponse {
    const site = served?.site ?? null
    const texts = TEXTS[pageLanguage(site)].ownAgents
    const back = html`<p class="actions"><a class="button" href="${ROUTES.account.path}">${texts.back}</a></p>`
    return readerPage({ site, title: texts.badTitle, main: html`<p>${texts[what]}</p>${back}`, status: 400 })
  }

  return {
    async section(account, lang, timeZone) {
      const texts = TEXTS[lang].ownAgents
      const own = await grants.ofAccount(account)
      const byClient = Map.groupBy(own, ({ kind, client, name }) =>
        kind === 'personal' ? '' : `${name} ${client}`,
      )
      const lists = [...byClient.values()].map((group) => clientGroup(group, lang, timeZone))
      const list = own.length === 0 ? html`<p>${texts.none}</p>` : html`${lists}`
      const form = html`<h3>${texts.newToken}</h3><p class="quiet">${texts.about}</p>
<form method="post" action="${ROUTES.account.path}"><input type="hidden" name="action" value="make-token">
<label>${texts.name} <input name="name" maxlength="40" required></label>
<label>${texts.days} <input name="days" type="number" min="1" max="365" value="${DEFAULT_DAYS}" required></label>
<button>${texts.make}</button></form>`
      return [html`<h2>${texts.title}</h2>`, list, ...(hasPersonalTokens ? [form] : [])]
    },
    async end(reader, id, context) {
      const grant = await grants.end(reader.account, id)
      if (grant === null) return problem('not_found')
      const { session, ...act } = actOf(reader, context)
      const what = { grant: id, agent: grant.client, name: grant.name }
      audit.record('agent_ended', { ...act, ...what, by: 'reader' })
      return new Response(null, { status: 204 })
    },
    async makeToken(request, name, days, reader, context) {
      const { account, served } = reader
      const cookie = cookies.readKey(request)
      if (!hasPersonalTokens || cookie.kind !== 'present') return problem('not_found')
      const called = name.trim()
      const isCounted = /^[1-9]\d{0,2}$/.test(days) && Number(days) <= 365
      if (!NAME.test(called) || !isCounted) return refusal(reader, 'bad')
      const offline = await sessions.createOfflineSession(cookie.key)
      if (offline.kind !== 'offline') return problem('signed_out')
      const own = served?.name ?? DEFAULT_EDITION
      const made = await grants.makePersonal({
        session: offline.key,
        account,
        name: called,
        edition: own === DEFAULT_EDITION ? null : own,
        expiresAtMs: now() + Number(days) * DAY_MS,
      })
      const { renewed } = offline
      const giveCookies = (response: GateResponse) => {
        if (renewed !== null) cookies.give(response.headers, renewed.token, renewed.session)
        return response
      }
      if (made === null) return giveCookies(refusal(reader, 'many'))
      const what = { grant: made.grant.id, name: called, days: Number(days) }
      try {
        const session = renewed?.session ?? reader.session
        await audit.recordDurably('agent_token_made', { ...actOf({ session }, context), ...what })
      } catch (error) {
        await grants.end(account, made.grant.id) // a token without a line on the disk is none
        throw error
      }
      return giveCookies(tokenPage(served?.site ?? null, made.token, origin))
    },
  }
}

function tokenPage(site: Parameters<typeof pageLanguage>[0], token: string, origin: URL): GateResponse {
  const texts = TEXTS[pageLanguage(site)].ownAgents
  const main = html`<p class="alarm">${texts.once}</p>
<p class="actions"><code class="box">${token}</code><button type="button" data-copied="${texts.copied}" hidden>${texts.copy}</button></p>
<h2>${texts.use}</h2>
<p><code class="box">curl -H "Authorization: Bearer $SEKISHO_TOKEN" ${origin.origin}/docs/….md</code></p>
<p><code class="box">${new URL(AGENT_ROUTES.mcp.path, origin).href}</code></p>
<p class="actions"><a class="button" href="${ROUTES.account.path}">${texts.back}</a></p>`
  return readerPage({ site, title: texts.made, main })
}

/** The grants of one client, or the reader's own tokens. */
function clientGroup(group: readonly Grant[], lang: Language, timeZone: string): Html {
  const [{ kind, name, client } = { kind: 'personal', name: '', client: '' }] = group
  const title = kind === 'personal' ? TEXTS[lang].ownAgents.token : name === '' ? hostOf(client) : name
  return html`<h3>${title}</h3><ul class="card">${group.map((one) => grantItem(one, lang, timeZone))}</ul>`
}

/** Client with the beginning, last time and number of its readings. */
function grantItem(grant: Grant, lang: Language, timeZone: string): Html {
  const texts = TEXTS[lang].ownAgents
  const day = (atMs: number) => {
    const shown = {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
    } as const
    return html`<time datetime="${new Date(atMs).toISOString()}">${new Date(atMs).toLocaleString(lang, shown)}</time>`
  }
  const used =
    grant.usedAtMs === null
      ? html`${texts.never}`
      : html`${texts.used}: ${day(grant.usedAtMs)} (${texts.calls(grant.calls)})`
  const what = grant.kind === 'personal' ? texts.token : hostOf(grant.client)
  return html`<li><div>${grant.name === '' ? what : grant.name} <span class="tag">${what}</span><br>
<span class="quiet">${texts.since}: ${day(grant.createdAtMs)}<br>${used}<br>${texts.expires}: ${day(grant.expiresAtMs)}</span></div>
<form method="post" action="${ROUTES.account.path}"><input type="hidden" name="action" value="end-agent"><input type="hidden" name="id" value="${grant.id}"><button>${texts.end}</button></form></li>`
}

/** The host of a client's document, else its id. */
function hostOf(client: string): string {
  return client.startsWith('https://') ? (URL.parse(client)?.host ?? client) : client
}
