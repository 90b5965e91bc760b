import type { Grant } from '@sekisho/contract/grants'
import type * as en from '../../texts/en/index.ts'

/** Codes of the notes to a site's owner. */
type NoteCode = keyof typeof en.initNotes

/** Fate of a plugin or theme behind the gate. */
export type Verdict = 'works' | 'replaced' | 'grant' | 'refused'

export interface Row {
  /** Part of the name or path under which a config may list it. */
  readonly name: RegExp
  readonly verdict: Verdict
  /** Null where nothing changes. */
  readonly note: NoteCode | null
  /** Required grants, in the syntax of SEKISHO_CSP_ALLOW; site-specific hosts come from its build, and trackers are never proposed. */
  readonly grants?: readonly Grant[]
}

const TAGS = [{ kind: 'script', source: 'https://www.googletagmanager.com' }] as const

/** By monthly downloads within a verdict; the first row that matches counts. */
const COMPATIBILITY: readonly Row[] = [
  { name: /google-gtag/, verdict: 'refused', note: 'tracker', grants: TAGS },
  { name: /google-tag-manager/, verdict: 'refused', note: 'tracker', grants: TAGS },
  {
    name: /google-analytics/,
    verdict: 'refused',
    note: 'tracker',
    grants: [{ kind: 'script', source: 'https://www.google-analytics.com' }],
  },
  { name: /posthog/, verdict: 'refused', note: 'tracker' },
  { name: /vercel-analytics/, verdict: 'refused', note: 'tracker' },
  { name: /umami/, verdict: 'refused', note: 'tracker' },
  { name: /pushfeedback/, verdict: 'refused', note: 'beacon' },
  {
    name: /plugin-pwa|(?:^|[/\\])pwa$/,
    verdict: 'refused',
    note: 'service_worker',
  },
  { name: /search-algolia|docsearch/, verdict: 'replaced', note: 'search' },
  { name: /search-local/, verdict: 'replaced', note: 'search' },
  { name: /lunr-search/, verdict: 'replaced', note: 'search' },
  { name: /search-pagefind/, verdict: 'replaced', note: 'search' },
  { name: /typesense/, verdict: 'replaced', note: 'search' },
  {
    name: /\bllms\b/,
    verdict: 'replaced',
    note: 'agents_need_sign_in',
  },
  {
    name: /plugin-sitemap|(?:^|[/\\])sitemap$/,
    verdict: 'replaced',
    note: 'sitemap',
  },
  { name: /openapi-docs/, verdict: 'grant', note: 'tries_requests' },
  {
    name: /redocusaurus/,
    verdict: 'grant',
    note: 'redoc',
    grants: [
      { kind: 'worker', source: 'blob' },
      { kind: 'img', source: 'https://cdn.redoc.ly' },
    ],
  },
  {
    name: /live-codeblock/,
    verdict: 'grant',
    note: 'live_code',
    grants: [{ kind: 'script', source: 'eval' }],
  },
  {
    name: /scalar/,
    verdict: 'grant',
    note: 'scalar',
    grants: [{ kind: 'script', source: 'https://cdn.jsdelivr.net' }],
  },
  {
    name: /drawio/,
    verdict: 'grant',
    note: 'drawio',
    grants: [{ kind: 'script', source: 'https://cdn.jsdelivr.net' }],
  },
  {
    name: /github-codeblock/,
    verdict: 'grant',
    note: 'loaded_from_github',
    grants: [{ kind: 'connect', source: 'https://raw.githubusercontent.com' }],
  },
  {
    name: /svgr|theme-mermaid|client-redirects|faster|sass|typedoc|npm2yarn|image-zoom|ideal-image|less|graphql-markdown|remote-content/,
    verdict: 'works',
    note: null,
  },
  {
    name: /@docusaurus[/\\](?:plugin|theme|preset)-|^(?:@docusaurus[/\\])?(?:classic|(?:content-)?(?:docs|blog|pages)|debug|svgr|mermaid|rsdoctor|css-cascade-layers)$/,
    verdict: 'works',
    note: null,
  },
]

/** An entry of a site's config, with its verdict; null if untested. */
export interface Finding {
  readonly name: string
  readonly verdict: Verdict | null
  readonly note: NoteCode | null
  readonly grants?: readonly Grant[]
}

/** The parts of a config that name plugins, whatever else it holds. */
interface ListedConfig {
  readonly plugins?: unknown
  readonly themes?: unknown
  readonly presets?: unknown
  readonly themeConfig?: unknown
  readonly scripts?: unknown
  readonly noIndex?: unknown
  readonly stylesheets?: unknown
}

/** Options of the classic preset that bring a plugin along. */
const PRESET_OPTIONS: Readonly<Record<string, string>> = {
  gtag: '@docusaurus/plugin-google-gtag',
  googleTagManager: '@docusaurus/plugin-google-tag-manager',
  googleAnalytics: '@docusaurus/plugin-google-analytics',
}

/** Names everything a config lists, each once, and what becomes of it behind the gate. */
export function classify(config: ListedConfig): readonly Finding[] {
  const names = new Set([
    ...['plugins', 'themes', 'presets'].flatMap((key) => listNames(field(config, key), key)),
    ...list(config.presets).flatMap(namesInPreset),
    ...(field(config.themeConfig, 'algolia') === undefined ? [] : ['@docusaurus/theme-search-algolia']),
  ])
  for (const name of names) if (name.startsWith('sekisho/docusaurus')) names.delete(name)
  const hosts = (['scripts', 'stylesheets'] as const).flatMap((key) =>
    list(field(config, key))
      .flatMap(externalAddress)
      .map((name) => classifyAddress(name, key)),
  )
  const told = [
    ...(config.noIndex === true ? [{ name: 'noIndex', verdict: 'works', note: 'no_index' } as const] : []),
    ...[config.plugins, config.themes].flatMap(list).flatMap(withoutTakeover),
  ]
  return [...[...names].map((name) => withOwnServer(classifyName(name), config)), ...told, ...hosts]
}

/** Options of searches that say which pages they leave out, in patterns of their own; `indexBlog` and its like are taken over. */
const LEAVING_OUT = ['ignoreFiles', 'excludeRoutes', 'includeRoutes']

/** Features of a replaced search that ours lacks. */
function withoutTakeover(entry: unknown): readonly Finding[] {
  const [name, options]: unknown[] = Array.isArray(entry) ? entry : []
  if (typeof name !== 'string' || classifyName(packageOf(name)).note !== 'search') return []
  const left = LEAVING_OUT.filter((option) => field(options, option) !== undefined)
  return left.map((option) => ({
    name: `${packageOf(name)} (${option})`,
    verdict: 'replaced',
    note: 'search_option',
  }))
}

/** Allows trackers on a server of the site's own, which its options name. */
function withOwnServer(finding: Finding, { plugins, themes }: ListedConfig): Finding {
  if (finding.note !== 'tracker') return finding
  const entries = [plugins, themes].flatMap(list).filter((entry) => Array.isArray(entry))
  const own = entries
    .filter(([name]) => typeof name === 'string' && packageOf(name) === finding.name)
    .flatMap(([, options]) => Object.values(Object(options)).flatMap(readOrigin))
    .map((source) => ({ kind: 'script', source }) as const)
  return { ...finding, grants: [...(finding.grants ?? []), ...own] }
}

/** The origin of an address, or of a host by its name alone. */
function readOrigin(value: unknown): string[] {
  if (typeof value !== 'string') return []
  const url = URL.parse(value.includes('://') ? value : `https://${value}`)
  return url?.hostname.includes('.') === true ? [url.origin] : []
}

function classifyName(name: string): Finding {
  const row = COMPATIBILITY.find((candidate) => candidate.name.test(name))
  return {
    name,
    verdict: row?.verdict ?? null,
    note: row === undefined ? 'not_tried' : row.note,
    ...(row?.grants !== undefined && { grants: row.grants }),
  }
}

function classifyAddress(name: string, key: 'scripts' | 'stylesheets'): Finding {
  const url = URL.parse(name, 'https://site.invalid')
  const kind = key === 'scripts' ? 'script' : 'style'
  const grants = url?.protocol === 'https:' ? [{ kind, source: url.origin } as const] : []
  return { name, verdict: 'grant', note: 'loaded_from_other_host', grants }
}

/** The names in a list of plugins or themes, without their options; one that the config makes itself is named by its place. */
export function listNames(value: unknown, key: string): string[] {
  return list(value).flatMap((entry, index) => {
    const name: unknown = Array.isArray(entry) ? entry[0] : entry
    if (typeof name === 'function') return [`${key}[${index}]${name.name === '' ? '' : ` (${name.name})`}`]
    return typeof name === 'string' ? [packageOf(name)] : []
  })
}

/** The package that an absolute path of `require.resolve` leads into; any other name as it is. */
function packageOf(name: string): string {
  const inside = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(name)?.[1]
  return inside?.replace('\\', '/') ?? name
}

function namesInPreset(preset: unknown): string[] {
  const options: unknown = Array.isArray(preset) ? preset[1] : undefined
  return Object.entries(PRESET_OPTIONS).flatMap(([option, name]) => (field(options, option) ? [name] : []))
}

function externalAddress(entry: unknown): string[] {
  const address = typeof entry === 'string' ? entry : (field(entry, 'src') ?? field(entry, 'href'))
  return typeof address === 'string' && /^(?:https?:)?\/\//.test(address) ? [address] : []
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
