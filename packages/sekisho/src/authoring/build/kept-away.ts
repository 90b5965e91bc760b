import { formatGrants, type Grant, isGranted } from '@sekisho/contract/grants'
import { createMessages, type Message } from '@sekisho/contract/language'
import type { RefusedOnPages, SourcedRedirect } from '@sekisho/release/packing'
import { sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import type { Finding } from '../init/compatibility.ts'
import { isTracker, proposalOf } from '../init/known-hosts.ts'

const messageOf = createMessages(TEXTS, 'build')

type Refused = Pick<RefusedOnPages, 'what' | 'grant' | 'pages'>
/** Something that the site's config lists, and what it is known to ask for. */
type Listed = Pick<Finding, 'name' | 'verdict' | 'grants'>
type Environment = Readonly<Record<string, string | undefined>>

const MAX_NAMED_PAGES = 3
const MAX_NAMED_REDIRECTS = 20

const GRANTABLE: Message = messageOf('grantable')
const NEVER: Message = messageOf('never')
const LOST: Message = messageOf('lost')
const MEASURES: Message = messageOf('measures')
const PROPOSAL: Message = messageOf('proposal')
const SEEN: Message = messageOf('seen')

/** Describes, for a writer, the resources of pages and style sheets that readers will not get. */
export function describeKeptAway(
  refused: readonly Refused[],
  grants: readonly Grant[],
  env: Environment,
  listed: readonly Listed[] = [],
): readonly string[] {
  const hasOpen = refused.some(({ grant }) => grant !== null && !isGranted(grants, grant))
  return [...describeRefused(refused, grants, env, listed), ...(hasOpen ? [sayTo({ env }, SEEN)] : [])]
}

/** Things that readers do not get: by what the site lists and page by page, and the setting that would grant them. */
export function describeRefused(
  refused: readonly Refused[],
  grants: readonly Grant[],
  env: Environment,
  listed: readonly Listed[] = [],
): readonly string[] {
  const say = (text: Message) => sayTo({ env }, text)
  const open = refused.filter(({ grant }) => grant !== null && !isGranted(grants, grant))
  const refusedHere = listed
    .filter(({ verdict }) => verdict === 'refused')
    .flatMap(({ grants = [] }) => grants)
  const measures = (one: Grant): boolean =>
    isTracker(one) || refusedHere.some(({ source }) => source === one.source)
  const measuring = open.filter(({ grant }) => grant !== null && measures(grant))
  const missing = open.filter((one) => !measuring.includes(one))
  const never = refused.filter(({ grant }) => grant === null)
  const nameAll = (all: readonly Refused[]) => all.map((one) => nameOne(one, listed, say))
  // What a plugin asks for once it runs stands on no page, and would be the next thing that is missing.
  const plugins = listed.filter(({ verdict }) => verdict === 'grant').flatMap(({ grants = [] }) => grants)
  const wanted = [...grants, ...proposalOf([...missing.flatMap(({ grant }) => grant ?? []), ...plugins])]
  return [
    ...(missing.length === 0 ? [] : [say(GRANTABLE), ...nameAll(missing)]),
    ...(missing.length === 0 ? [] : [say(PROPOSAL), `  SEKISHO_CSP_ALLOW="${formatGrants(wanted)}"`]),
    ...(measuring.length === 0 ? [] : [say(MEASURES), ...nameAll(measuring)]),
    ...(never.length === 0 ? [] : [say(NEVER), ...nameAll(never)]),
  ]
}

/** Describes, for a writer, redirects to missing pages: each with the build's file that holds it. */
export function describeLost(lost: readonly SourcedRedirect[], env: Environment): readonly string[] {
  if (lost.length === 0) return []
  const say = (text: Message) => sayTo({ env }, text)
  const lines = lost
    .slice(0, MAX_NAMED_REDIRECTS)
    .map(({ from, to, source }) => say(messageOf('in', from, to, source)))
  const others = lost.length - lines.length
  return [say(LOST), ...lines, ...(others > 0 ? [say(messageOf('more_redirects', others))] : [])]
}

function nameOne(
  { what, grant, pages }: Refused,
  listed: readonly Listed[],
  say: (text: Message) => string,
): string {
  const causes = listed.filter(({ grants = [] }) => grants.some((one) => isSame(one, grant)))
  const named = pages.slice(0, MAX_NAMED_PAGES).join(', ')
  const others = pages.length - MAX_NAMED_PAGES
  const more = others > 0 ? say(messageOf('more_pages', others)) : ''
  const known = causes.length === 0 ? what : `${what} (${causes.map(({ name }) => name).join(', ')})`
  return say(messageOf('on', known, named, more))
}

const isSame = ({ kind, source }: Grant, other: Grant | null): boolean =>
  kind === other?.kind && source === other.source
