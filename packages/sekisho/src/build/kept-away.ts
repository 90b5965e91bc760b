import { formatGrants, type Grant, isGranted } from '@sekisho/contract/grants'
import { createMessages, type Message } from '@sekisho/contract/language'
import type { RefusedOnPages, SourcedRedirect } from '@sekisho/release/packing'
import { isTracker, proposalOf } from '../init/known-hosts.ts'
import { sayTo } from '../language.ts'
import { TEXTS } from '../texts/index.ts'

const messageOf = createMessages(TEXTS, 'build')

type Refused = Pick<RefusedOnPages, 'what' | 'grant' | 'pages'>
type Environment = Readonly<Record<string, string | undefined>>

const MAX_NAMED_PAGES = 3
const MAX_NAMED_REDIRECTS = 20

const GRANTABLE: Message = messageOf('grantable')
const NEVER: Message = messageOf('never')
const LOST: Message = messageOf('lost')
const MEASURES: Message = messageOf('measures')
const PROPOSAL: Message = messageOf('proposal')
const SEEN: Message = messageOf('seen')

/** What a writer reads about things that readers will not get, as far as pages and style sheets name them. */
export function describeKeptAway(
  refused: readonly Refused[],
  grants: readonly Grant[],
  env: Environment,
): readonly string[] {
  const hasOpen = refused.some(({ grant }) => grant !== null && !isGranted(grants, grant))
  return [...describeRefused(refused, grants, env), ...(hasOpen ? [sayTo({ env }, SEEN)] : [])]
}

/** Things that readers do not get: page by page, and the setting that would grant them. */
export function describeRefused(
  refused: readonly Refused[],
  grants: readonly Grant[],
  env: Environment,
): readonly string[] {
  const say = (text: Message) => sayTo({ env }, text)
  const open = refused.filter(({ grant }) => grant !== null && !isGranted(grants, grant))
  const measuring = open.filter(({ grant }) => grant !== null && isTracker(grant))
  const missing = open.filter((one) => !measuring.includes(one))
  const never = refused.filter(({ grant }) => grant === null)
  const wanted = [...grants, ...proposalOf(missing.flatMap(({ grant }) => grant ?? []))]
  return [
    ...(missing.length === 0 ? [] : [say(GRANTABLE), ...missing.map((one) => nameOne(one, say))]),
    ...(missing.length === 0 ? [] : [say(PROPOSAL), `  SEKISHO_GRANTS="${formatGrants(wanted)}"`]),
    ...(measuring.length === 0 ? [] : [say(MEASURES), ...measuring.map((one) => nameOne(one, say))]),
    ...(never.length === 0 ? [] : [say(NEVER), ...never.map((one) => nameOne(one, say))]),
  ]
}

/** What a writer reads about redirects that lead nowhere: each with the file of the build that holds it. */
export function describeLost(lost: readonly SourcedRedirect[], env: Environment): readonly string[] {
  if (lost.length === 0) return []
  const say = (text: Message) => sayTo({ env }, text)
  const lines = lost
    .slice(0, MAX_NAMED_REDIRECTS)
    .map(({ from, to, source }) => say(messageOf('in', from, to, source)))
  const others = lost.length - lines.length
  return [say(LOST), ...lines, ...(others > 0 ? [say(messageOf('more_redirects', others))] : [])]
}

function nameOne({ what, pages }: Refused, say: (text: Message) => string): string {
  const named = pages.slice(0, MAX_NAMED_PAGES).join(', ')
  const others = pages.length - MAX_NAMED_PAGES
  const more = others > 0 ? say(messageOf('more_pages', others)) : ''
  return say(messageOf('on', what, named, more))
}
