import { TEXTS } from '../texts/index.ts'
import { createMessages, type Message } from '../texts/language.ts'

const problemOf = createMessages(TEXTS, 'grants')
const costOf = createMessages(TEXTS, 'grantRisks')

/** Kinds of access to other hosts that an operator can grant to pages. */
const KINDS = ['img', 'media', 'font', 'style', 'script', 'connect', 'frame', 'worker', 'form'] as const
export type GrantKind = (typeof KINDS)[number]

/** One source that pages may use; `source` is an https origin, or one of {@link KEYWORDS}. */
export interface Grant {
  readonly kind: GrantKind
  readonly source: string
}

interface Keyword {
  /** The kind's directive in a content policy. */
  readonly csp: string
  readonly cost: Message
}

/** Grants of something that is no host, by kind and by what the setting calls it. */
const KEYWORDS: Readonly<Partial<Record<GrantKind, Readonly<Record<string, Keyword>>>>> = {
  script: { eval: { csp: "'unsafe-eval'", cost: costOf('eval') } },
  worker: { blob: { csp: 'blob:', cost: costOf('worker') } },
}

const EXACT_ORIGIN = /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/

/**
 * Reads the grants of a setting, as in `img https://a.example https://b.example; script eval`; what is wrong is added to
 * `problems`. Only exact https origins are accepted: no wildcard, no path, no other scheme.
 */
export function readGrants(text: string, problems: Message[]): readonly Grant[] {
  const grants: Grant[] = []
  for (const rule of text.split(';').map((part) => part.trim())) {
    if (rule === '') continue
    const [kind = '', ...sources] = rule.split(/\s+/)
    if (!isKind(kind)) problems.push(problemOf('unknown_kind', JSON.stringify(kind), KINDS))
    else if (sources.length === 0) problems.push(problemOf('no_source', kind))
    else
      for (const source of sources) {
        if (isSource(kind, source)) grants.push({ kind, source })
        else
          problems.push(
            problemOf('bad_source', kind, JSON.stringify(source), Object.keys(KEYWORDS[kind] ?? {})),
          )
      }
  }
  return grants
}

/** The setting that holds these grants, each once, sorted. */
export function formatGrants(grants: readonly Grant[]): string {
  const kinds = KINDS.filter((kind) => grants.some((grant) => grant.kind === kind))
  return kinds.map((kind) => [kind, ...sourcesOf(grants, kind)].join(' ')).join('; ')
}

/** Sources of a content policy that grants of a kind add. */
export function policySources(grants: readonly Grant[], kind: GrantKind): readonly string[] {
  return sourcesOf(grants, kind).map((source) => KEYWORDS[kind]?.[source]?.csp ?? source)
}

/** Risk of a grant, as one sentence. */
export function riskOf({ kind, source }: Grant): Message {
  return KEYWORDS[kind]?.[source]?.cost ?? costOf(kind)
}

export const isGranted = (grants: readonly Grant[], { kind, source }: Grant): boolean =>
  grants.some((grant) => grant.kind === kind && grant.source === source)

const sourcesOf = (grants: readonly Grant[], kind: string): readonly string[] =>
  [...new Set(grants.filter((grant) => grant.kind === kind).map(({ source }) => source))].sort()

const isKind = (text: string): text is GrantKind => KINDS.some((kind) => kind === text)

function isSource(kind: GrantKind, source: string): boolean {
  if (Object.hasOwn(KEYWORDS[kind] ?? {}, source)) return true
  return EXACT_ORIGIN.test(source) && URL.parse(source)?.origin === source
}
