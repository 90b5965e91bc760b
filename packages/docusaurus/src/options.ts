import type { Message, MessageOrText } from '@sekisho/contract/language'
import { FEATURES, type Feature, LIGHT_DEFAULTS } from '@sekisho/light-pages'
import { readVocabulary, type Vocabulary, VocabularyError } from '@sekisho/search/indexer'
import type { CodeOwners } from './content/page-metadata.ts'
import { toldError } from './writing/problems.ts'
import { inSiteLanguage } from './writing/site-language.ts'
import { optionProblemOf as problemOf } from './writing/texts/index.ts'

/** A path of the site that only leads to another one. */
export type SiteRedirect = { readonly from: string; readonly to: string }

/** Tools that readers have for a text. */
export type Tools = {
  /** Ask at its foot whether it was helpful (decisions/110). */
  readonly feedback: boolean
  /** Its Markdown, beside it and to copy; addresses of headings to copy, and printing. */
  readonly markdown: boolean
  /** Pictures with more to show than fits grow at a click. */
  readonly zoom: boolean
}

/** Options of a site's config; everything has a default. */
export type SekishoOptions = {
  /** Answered by the gate with a redirect; in `docusaurus start` by the browser. */
  readonly redirects?: readonly SiteRedirect[]
  /** Initial colour mode of readers without a choice, with `respectPrefersColorScheme: true`. Default: the system's. */
  readonly initialColorMode?: 'light' | 'dark' | 'system'
  /** Number of entries in `@theme/RecentChanges`. */
  readonly recentChanges?: number
  /** Up to three related pages at the end of a document, on sites of ten documents or more. Default: true with our portal theme. */
  readonly relatedPages?: boolean
  /** Tools of texts, each off by default: a site keeps its appearance. */
  readonly tools?: Partial<Tools>
  /**
   * Features that make pages light, in production builds: `routes`, `code`, `styles` (decisions/060). Default: all; the environment's
   * `SEKISHO_LIGHT`, the same names with commas or `off`, takes precedence.
   */
  readonly lightPages?: readonly Feature[]
  /** `all`: code in any language that Prism has is coloured, whether the site lists it for Prism or not. Default: `listed`. */
  readonly codeLanguages?: 'listed' | 'all'
  /**
   * `all`: every page has the owner that the repository's CODEOWNERS names, unless its front matter names one. Default: `metadata`, pages
   * whose front matter has metadata of ours.
   */
  readonly codeOwners?: CodeOwners
  /**
   * Number of pages below which both bundles are built at once: quicker, for up to 1 MB of memory a page. 0 always saves memory. Default:
   * 2,000 (decisions/066).
   */
  readonly bundleTogetherBelow?: number
  /**
   * The team's own words, which the search reads and finds: `words` as `{ name, reading }` (reading in kana), `synonyms` as groups
   * of words that mean the same. A `sekisho.search.json` beside the config, which `sekisho synonyms` writes, is added to it.
   */
  readonly search?: Partial<Vocabulary>
  /**
   * Kinds of searched pages: documents, posts and other pages, all by default; also `indexDocs`, `indexBlog` or `indexPages` of a replaced
   * search plugin. A page with `search: false` in its front matter is always excluded.
   */
  readonly searched?: Partial<Searched>
}

/** Kinds of pages included in the search. */
export type Searched = { readonly docs: boolean; readonly blog: boolean; readonly pages: boolean }

/** The options with every default filled in. `id` is Docusaurus's name for the plugin instance. */
export type ResolvedOptions = Required<Omit<SekishoOptions, 'relatedPages'>> & {
  readonly relatedPages?: boolean
  readonly id: string
  readonly search: Vocabulary
  /** Only what the site's config says. */
  readonly searched: Partial<Searched>
  readonly tools: Tools
}

/**
 * A mistake in the site's config. The message lists every problem and says what is accepted, in the language of the site; it carries no
 * stack, which would lead through the bundler and never to the config's line.
 */
export class SekishoOptionsError extends Error {
  override readonly name = 'SekishoOptionsError'
  readonly code = 'SEKISHO_OPTIONS'

  constructor(whose: Message, problems: readonly MessageOrText[]) {
    super([whose, ...problems].map((line, at) => (at === 0 ? '' : '- ') + inSiteLanguage(line)).join('\n'))
    this.stack = this.message
  }
}

const COLOR_MODES: ReadonlySet<unknown> = new Set(['light', 'dark', 'system'])
const MAX_RECENT_CHANGES = 50

const NO_TOOLS: Tools = { feedback: false, markdown: false, zoom: false }

type Reader = (value: unknown, problems: MessageOrText[]) => void

const READERS: Readonly<Record<keyof SekishoOptions, Reader>> = {
  redirects: (value, problems) => {
    if (!Array.isArray(value)) problems.push(problemOf('redirects_list'))
    else for (const [index, redirect] of value.entries()) checkRedirect(redirect, index, problems)
  },
  initialColorMode: (value, problems) => {
    if (!COLOR_MODES.has(value)) problems.push(problemOf('color_mode'))
  },
  recentChanges: (value, problems) => {
    const isCount = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_RECENT_CHANGES
    if (!isCount) problems.push(problemOf('recent_changes', MAX_RECENT_CHANGES))
  },
  relatedPages: (value, problems) => {
    if (typeof value !== 'boolean') problems.push(problemOf('related_pages'))
  },
  tools: (value, problems) => {
    const isRight = ([name, choice]: [string, unknown]) => name in NO_TOOLS && typeof choice === 'boolean'
    if (!isRecord(value) || !Object.entries(value).every(isRight))
      problems.push(problemOf('tools', Object.keys(NO_TOOLS).join(', ')))
  },
  searched: (value, problems) => {
    const isRight = ([name, choice]: [string, unknown]) =>
      /^(?:docs|blog|pages)$/.test(name) && typeof choice === 'boolean'
    if (!isRecord(value) || !Object.entries(value).every(isRight)) problems.push(problemOf('searched'))
  },
  lightPages: (value, problems) => {
    if (!Array.isArray(value) || value.some((name) => !FEATURES.includes(name)))
      problems.push(problemOf('light_pages', FEATURES.join(', ')))
  },
  codeLanguages: (value, problems) => {
    if (value !== 'listed' && value !== 'all') problems.push(problemOf('code_languages'))
  },
  codeOwners: (value, problems) => {
    if (value !== 'metadata' && value !== 'all') problems.push(problemOf('code_owners'))
  },
  bundleTogetherBelow: (value, problems) => {
    if (!Number.isInteger(value) || Number(value) < 0) problems.push(problemOf('bundle_together'))
  },
  search: (value, problems) => {
    try {
      readVocabulary(value)
    } catch (error) {
      if (!(error instanceof VocabularyError)) throw error
      problems.push(...error.mistakes.map((problem) => problemOf('search', problem)))
    }
  },
}

const DEFAULTS: Required<Omit<SekishoOptions, 'relatedPages'>> = {
  redirects: [],
  initialColorMode: 'system',
  recentChanges: 6,
  tools: NO_TOOLS,
  codeOwners: 'metadata',
  ...LIGHT_DEFAULTS,
  searched: {},
  search: { words: [], synonyms: [] },
}

/** Reads the options of the site's config; unknown keys are refused and all problems reported together. */
export function readOptions(input: unknown): ResolvedOptions {
  const { id = 'default', ...given } = isRecord(input) ? input : {}
  const problems: MessageOrText[] = []
  for (const [key, value] of Object.entries(given)) {
    const known = Object.entries(READERS).find(([name]) => name === key)
    if (known === undefined) problems.push(problemOf('unknown_key', key, Object.keys(READERS).join(', ')))
    else if (value !== undefined) known[1](value, problems)
  }
  if (typeof id !== 'string') problems.push(problemOf('id'))
  if (problems.length > 0) throw toldError(new SekishoOptionsError(problemOf('not_right'), problems))
  const { search, tools, ...others }: SekishoOptions = given
  return {
    ...DEFAULTS,
    ...others,
    id: String(id),
    search: readVocabulary(search),
    tools: { ...NO_TOOLS, ...tools },
  }
}

function checkRedirect(value: unknown, at: number, problems: MessageOrText[]): void {
  const keys = isRecord(value) ? Object.keys(value).sort().join(' ') : ''
  if (!isRecord(value) || keys !== 'from to') problems.push(problemOf('redirect', at))
  else if (!isSitePath(value.from) || !isSitePath(value.to)) problems.push(problemOf('redirect_paths', at))
  else if (value.from === value.to) problems.push(problemOf('redirect_circle', at))
}

const isSitePath = (value: unknown): boolean =>
  typeof value === 'string' && /^\/(?:[^/?#\\][^?#\\]*)?$/.test(value)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
