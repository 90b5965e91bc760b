import path from 'node:path'
import { editDistance } from '@sekisho/contract/edit-distance'
import type { MessageOrText } from '@sekisho/contract/language'
import { FRONT_MATTER_KEYS } from '@sekisho/contract/page-metadata'
import { inSiteLanguage } from './site-language.ts'
import { frontMatterProblemOf as problemOf } from './texts/index.ts'

/** Front matter fields that writers get wrong; all others are Docusaurus' own. */
const FIELDS: {
  readonly [name: string]: { readonly is: (value: unknown) => boolean; readonly want: MessageOrText }
} = {
  title: { is: isText, want: problemOf('title') },
  description: { is: isText, want: problemOf('description') },
  sidebar_label: { is: isText, want: problemOf('sidebar_label') },
  slug: { is: isText, want: problemOf('slug') },
  sidebar_position: { is: (value) => typeof value === 'number', want: problemOf('sidebar_position') },
  keywords: { is: isTexts, want: problemOf('keywords') },
  tags: { is: Array.isArray, want: problemOf('tags') },
  draft: { is: (value) => typeof value === 'boolean', want: problemOf('flag') },
  unlisted: { is: (value) => typeof value === 'boolean', want: problemOf('flag') },
}

/** A page's file, its front matter and, where a writer has to mend it, what to change. */
export interface CheckedPage {
  readonly frontMatter: { [name: string]: unknown }
  readonly content: string
  /** Names file, lines and remedies. */
  readonly problem?: string
}

/**
 * Checks the front matter of a page and returns it without wrong fields and misspelt keys, so that the page can be shown. Partials (`_`
 * before name or folder) have none.
 * @param file relative to the site
 * @param required names of mandatory fields
 */
export function checkFrontMatter(
  file: string,
  fileContent: string,
  page: CheckedPage,
  required: readonly string[],
): CheckedPage {
  if (file.split(path.sep).some((name) => name.startsWith('_'))) return page
  const fields = Object.entries(page.frontMatter).filter(([, value]) => value !== undefined && value !== null)
  const given = new Set(fields.map(([name]) => name))
  const missing = required
    .filter((name) => !given.has(name))
    .map((name) => problemOf('missing', name, wantOf(name)))
  const isWrong = ([name, value]: [string, unknown]) =>
    Object.hasOwn(FIELDS, name) && !FIELDS[name]?.is(value)
  const wrong = fields
    .filter(isWrong)
    .map(([name]) => problemOf('wrong', lineOf(fileContent, name), name, wantOf(name)))
  const slips = new Map(findMisspelt(Object.fromEntries(fields)))
  const misspelt = [...slips].map(([name, meant]) =>
    problemOf('misspelt', lineOf(fileContent, name), name, meant),
  )
  const problems = [...misspelt, ...missing, ...wrong]
  if (problems.length === 0) return page
  const frontMatter = Object.fromEntries(fields.filter((field) => !isWrong(field) && !slips.has(field[0])))
  return { ...page, frontMatter, problem: describe(`${file}:1`, problems) }
}

/** A page whose front matter is no YAML at all; null for any other error. */
export function describeYamlError(file: string, content: string, error: unknown): CheckedPage | null {
  const { mark, reason } = Object(error)
  if (typeof mark?.line !== 'number' || typeof reason !== 'string') return null
  const advice = problemOf('no_yaml', reason)
  // The parser begins to count behind the opening line.
  return { frontMatter: {}, content, problem: describe(`${file}:${mark.line + 1}`, [advice]) }
}

const wantOf = (name: string): string => inSiteLanguage(FIELDS[name]?.want ?? name)

function describe(place: string, problems: readonly MessageOrText[]): string {
  const lines = problems.map((problem) => `  - ${inSiteLanguage(problem)}`)
  return [inSiteLanguage(problemOf('not_right', place)), ...lines].join('\n')
}

/** Tells if a word is a misspelling of another: in full-width letters, by one letter of five, or by two of eight or more. */
export function isSlipOf(typed: string, word: string): boolean {
  if (typed !== word && typed.normalize('NFKC') === word) return true
  if (typed === word || word.length < 5) return false
  const most = word.length < 8 ? 1 : 2
  return editDistance(typed.toLowerCase().replace(/[_\s]/g, '-'), word.replaceAll('_', '-'), most) <= most
}

/** Keys of front matter that are read here or by Docusaurus, and no other tool's. */
const KEYS = [...Object.keys(FIELDS), ...Object.keys(FRONT_MATTER_KEYS), 'audience', 'search']
/** Words of their own, used by other tools, that resemble one of the keys. */
const OTHER_WORDS = new Set(['cover', 'preview', 'resource', 'resources', 'reviewer', 'reviewers', 'stats'])

/** Keys of a page's front matter that resemble a known one which the page lacks, each with that one. */
export function findMisspelt(frontMatter: Readonly<Record<string, unknown>>): readonly [string, string][] {
  return Object.keys(frontMatter).flatMap((name): [string, string][] => {
    if (KEYS.includes(name) || OTHER_WORDS.has(name)) return []
    const meant = KEYS.find((key) => !Object.hasOwn(frontMatter, key) && isSlipOf(name, key))
    return meant === undefined ? [] : [[name, meant]]
  })
}

/** The line, from 1, at which a key of front matter stands; 0 where it is not found. */
export function lineOf(fileContent: string, name: string): number {
  const starts = [name, `"${name}"`, `'${name}'`]
  return fileContent.split('\n').findIndex((line) => starts.some((start) => line.startsWith(`${start}:`))) + 1
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isTexts(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'number' || isText(item))
  )
}
