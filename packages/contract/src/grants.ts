/**
 * What pages may load from elsewhere, or do, once the operator of a gate grants it, and what that costs: the sentence is
 * printed by `sekisho check` beside each grant.
 */
const RISKS = {
  img: 'that host learns the address of each reader and when they read',
  media: 'that host learns the address of each reader and when they read',
  font: 'that host learns the address of each reader and when they read',
  style: 'whoever controls that host decides what pages look like, and what they hide',
  script:
    'whoever controls that host runs code with the rights of each reader: it reads whatever they may read',
  connect: 'code of a page may send that host whatever is on the page',
  frame: 'that host learns the address of each reader, and shows within a page what it likes',
  worker: 'code of a page may run further code that no hash names',
  form: 'what readers type into a form of a page may be sent to that host',
} as const

export type GrantKind = keyof typeof RISKS

/** One source that pages may use; `source` is an https origin, or one of {@link KEYWORDS}. */
export interface Grant {
  readonly kind: GrantKind
  readonly source: string
}

/** Grants of something that is no host, by kind: what the setting calls it, what a content policy calls it, and its risk. */
const KEYWORDS: Readonly<
  Partial<Record<GrantKind, Readonly<Record<string, readonly [csp: string, risk: string]>>>>
> = {
  script: {
    eval: [
      "'unsafe-eval'",
      'text that gets into the code of a page, from its address for example, may run with the rights of each reader',
    ],
  },
  worker: { blob: ['blob:', RISKS.worker] },
}

const KINDS = Object.keys(RISKS)
const EXACT_ORIGIN = /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/

/**
 * Reads the grants of a setting, as in `img https://a.example https://b.example; script eval`; what is wrong is added to
 * `problems`. Only exact https origins are accepted: no wildcard, no path, no other scheme.
 */
export function readGrants(text: string, problems: string[]): readonly Grant[] {
  const grants: Grant[] = []
  for (const rule of text.split(';').map((part) => part.trim())) {
    if (rule === '') continue
    const [kind = '', ...sources] = rule.split(/\s+/)
    if (!isKind(kind)) problems.push(`${JSON.stringify(kind)} is none of ${KINDS.join(', ')}`)
    else if (sources.length === 0) problems.push(`${kind} names no source`)
    else
      for (const source of sources) {
        if (isSource(kind, source)) grants.push({ kind, source })
        else problems.push(`${kind} ${JSON.stringify(source)} must be ${describeSources(kind)}`)
      }
  }
  return grants
}

/** The setting that holds these grants, each once, sorted. */
export function formatGrants(grants: readonly Grant[]): string {
  const kinds = KINDS.filter((kind) => grants.some((grant) => grant.kind === kind))
  return kinds.map((kind) => [kind, ...sourcesOf(grants, kind)].join(' ')).join('; ')
}

/** What a content policy calls the sources that are granted for a kind. */
export function policySources(grants: readonly Grant[], kind: GrantKind): readonly string[] {
  return sourcesOf(grants, kind).map((source) => KEYWORDS[kind]?.[source]?.[0] ?? source)
}

/** What a grant costs, in a sentence. */
export function riskOf({ kind, source }: Grant): string {
  return KEYWORDS[kind]?.[source]?.[1] ?? RISKS[kind]
}

export const isGranted = (grants: readonly Grant[], { kind, source }: Grant): boolean =>
  grants.some((grant) => grant.kind === kind && grant.source === source)

const sourcesOf = (grants: readonly Grant[], kind: string): readonly string[] =>
  [...new Set(grants.filter((grant) => grant.kind === kind).map(({ source }) => source))].sort()

const isKind = (text: string): text is GrantKind => Object.hasOwn(RISKS, text)

function isSource(kind: GrantKind, source: string): boolean {
  if (Object.hasOwn(KEYWORDS[kind] ?? {}, source)) return true
  return EXACT_ORIGIN.test(source) && URL.parse(source)?.origin === source
}

function describeSources(kind: GrantKind): string {
  const words = Object.keys(KEYWORDS[kind] ?? {}).map((word) => ` or ${word}`)
  return `an https origin without a path, as in https://images.example.com${words.join('')}`
}
