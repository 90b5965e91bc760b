import type { Page } from '@playwright/test'

/** A difference between stock and gated that is meant, with the reason it is. */
export interface Expected {
  readonly line: RegExp
  readonly reason: string
}

/** A small site as data; every one has the files of `base-site.ts` besides its own. */
export interface Fixture {
  readonly name: string
  /** Lines before the config object. */
  readonly head?: string
  /** Lines within the config object. */
  readonly config?: string
  /** Options of the classic preset's docs, as lines. */
  readonly docs?: string
  /** Lines within the classic preset beside docs and blog. */
  readonly preset?: string
  /** Further presets, as lines. */
  readonly presets?: string
  /** Lines within `themeConfig`. */
  readonly themeConfig?: string
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Paths below `baseUrl` that are laid side by side; those of the base site are added. */
  readonly pages: readonly string[]
  /** Default `/`. */
  readonly baseUrl?: string
  readonly trailingSlash?: boolean
  /** Without the faster bundler. */
  readonly isSlow?: boolean
  /** The Docusaurus it is built with, one of `OLDER`. Default: that of `PACKAGES`. */
  readonly docusaurus?: string
  /** No page may weigh more than stock. */
  readonly isLight?: boolean
  /** The setting with which the gated site runs. */
  readonly grants?: string
  /** Grants that the build has to propose by name when none are given. */
  readonly proposes?: string
  /** Expected output of `init`, one pattern for each plugin. */
  readonly init?: readonly RegExp[]
  readonly expected?: readonly Expected[]
  /** Responses of other hosts: modules of a package, by address. */
  readonly elsewhere?: Readonly<Record<string, string>>
  /** Opens content of a page, stock and gated, before the comparison; throws when it does not appear. */
  readonly unfold?: (page: Page, path: string) => Promise<void>
  /** Uses the page as a reader does; throws on failure. */
  readonly click?: (visit: Visit) => Promise<void>
  /** Commands of the site's own before it is built, as arguments of `docusaurus`. */
  readonly before?: readonly string[]
}

/** A reader's browser on the gated site. */
export interface Visit {
  readonly page: Page
  readonly origin: string
  /** The address of a path below `baseUrl` as the site links to it, without the origin. */
  link(path: string, fragment?: string): string
  /** Opens a path below `baseUrl`. */
  open(path: string): Promise<void>
  /** Addresses of the results of a search on the page that is open. */
  search(words: string): Promise<readonly string[]>
}

/** Parts to which several fixtures may each add lines. */
const LINES = ['head', 'config', 'docs', 'preset', 'presets', 'themeConfig'] as const
const ONCE = [
  'baseUrl',
  'trailingSlash',
  'isSlow',
  'docusaurus',
  'isLight',
  'grants',
  'proposes',
  'before',
  'elsewhere',
  'unfold',
] as const

/** One site with what several fixtures have, where there is no time for each. Throws when two of them want the same thing otherwise. */
export function combine(name: string, fixtures: readonly Fixture[]): Fixture {
  const wanted = fixtures.flatMap((fixture) => [
    ...ONCE.filter((key) => fixture[key] !== undefined),
    ...Object.keys(fixture.files ?? {}),
  ])
  const twice = wanted.find((key, at) => wanted.indexOf(key) !== at)
  if (twice !== undefined) throw new Error(`${name}: two fixtures have their own ${twice}`)
  const joined = LINES.map((key) => [key, fixtures.flatMap((fixture) => fixture[key] ?? []).join('\n')])
  return {
    ...Object.assign({}, ...fixtures),
    ...Object.fromEntries(joined),
    name,
    files: Object.assign({}, ...fixtures.map(({ files }) => files)),
    pages: fixtures.flatMap(({ pages }) => pages),
    init: fixtures.flatMap(({ init = [] }) => init),
    expected: fixtures.flatMap(({ expected = [] }) => expected),
    async click(visit) {
      for (const { click } of fixtures) await click?.(visit)
    },
  }
}
