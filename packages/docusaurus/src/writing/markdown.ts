import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { DefaultParseFrontMatter, MarkdownConfig, ParseFrontMatter } from '@docusaurus/types'
import type { Message } from '@sekisho/contract/language'
import { type CheckedPage, checkFrontMatter, describeYamlError, isSlipOf } from './front-matter.ts'
import { pageError } from './problems.ts'
import { inSiteLanguage } from './site-language.ts'
import { problemOf } from './texts/index.ts'

/** Docusaurus' default admonitions. */
const ADMONITION = 'note|tip|info|warning|danger|caution|important|secondary|success'
const TITLED = new RegExp(`^((?:> ?)*[ \\t]*:{3,}(?:${ADMONITION}))[ \\t\\u3000]+([^\\s[{].*?)[ \\t]*$`)
const ADMONITIONS = ADMONITION.split('|')
const FENCE = /^(?:> ?)*\s*(`{3,}|~{3,})/

/**
 * Reads `:::note 題` as `:::note[題]`, as people have written it since Docusaurus 1. Lines stay where they are, and code is
 * left alone, which Docusaurus' own `mdx1Compat.admonitions` does not do.
 */
export function titleAdmonitions(markdown: string): string {
  return mapProse(markdown, (line) => line.replace(TITLED, '$1[$2]')).join('\n')
}

/**
 * Mistakes that Docusaurus tolerates: a misspelt or unclosed admonition, two headings of one id, and a file in another encoding.
 * @param file as a writer knows it, relative to the site
 * @returns a sentence in the site's language for each, with file and line
 */
export function findSlips(file: string, markdown: string): string[] {
  const slips: string[] = []
  mapProse(markdown, (line, number) => {
    const slip = misspeltAdmonition(line, `${file}:${number}`)
    if (slip !== null) slips.push(slip)
    const bare = line.replace(/`[^`]*`/g, '')
    const typed = UNREAD.flatMap((pattern) => pattern.exec(bare)?.[1] ?? [])[0] ?? unreadBold(line)
    if (typed !== undefined)
      slips.push(inSiteLanguage(problemOf('shown_as_typed', `${file}:${number}`, typed)))
    const [, own] = /\]\(\s*<?((?:file:|[A-Za-z]:\\)[^)>]*)/.exec(bare) ?? []
    if (own !== undefined) slips.push(inSiteLanguage(problemOf('own_computer', `${file}:${number}`, own)))
    return line
  })
  const [, first = ''] = /^\s*(---\r?\n(?=\w+[:：])|\w+(?=[:：]))/.exec(markdown) ?? []
  const isLate = first.startsWith('---')
    ? /^\ufeff?[^\S\ufeff]/.test(markdown)
    : ['title', 'id', 'slug'].includes(first)
  if (isLate) slips.push(inSiteLanguage(problemOf('late_front_matter', file)))
  const lost = markdown.split('\n').findIndex((line) => /\ufffd.*\ufffd/.test(line))
  if (lost >= 0) slips.unshift(inSiteLanguage(problemOf('not_utf8', `${file}:${lost + 1}`)))
  return [...slips, ...sharedIds(file, markdown), ...openBlocks(file, markdown), ...openFence(file, markdown)]
}

/** Signs that Markdown takes for text: of full width, or with a space too many, too few or of full width. */
const UNREAD = [
  /^\s*(：{3,}\S*|:{3,}(?:[ \u3000]+[a-z]|[\u3000-\uffff])\S*)/,
  /^(＃{1,6}(?=[ \u3000])|#{1,6}(?=\u3000)|#{2,6}(?=[^\s#!]))/,
  /^\s*(｜[-－ー―—:：｜]+｜|｀{3,})/,
  /(\[[^\][]+\]（(?:\.{0,2}\/|https?:|#)[^）]*）|［[^］]+］[(（](?:\.{0,2}\/|https?:|#)[^)）]*[)）]|\[[^\][]+\] \((?:\.{0,2}\/|https?:)[^)]*\))/,
]

/** A mark of bold text beside a bracket or full stop that a letter follows: CommonMark sees no end (or beginning) there. */
function unreadBold(line: string): string | undefined {
  const text = line.replace(/`[^`]*`/g, (code) => code.replaceAll('*', '·'))
  const parts = text.replace(/(?<=^|\s)\*\*(?=\s|$)/g, '').split('**')
  return parts.find((part, at) => {
    const [before = '', after = ''] = [parts[at - 1], parts[at + 1]]
    if (at % 2 === 0 || parts.length % 2 === 0) return false
    const isUnbegun = /^[\p{P}\p{S}]/u.test(part) && /[\p{L}\p{N}]$/u.test(before)
    return isUnbegun || (/[\p{P}\p{S}]$/u.test(part) && /^[\p{L}\p{N}]/u.test(after))
  })
}

function misspeltAdmonition(line: string, place: string): string | null {
  const [, name = ''] = /^(?:> ?)*[ \t]*:{3,}([a-z]+)/.exec(line) ?? []
  const meant = ADMONITIONS.includes(name) ? undefined : ADMONITIONS.find((known) => isSlipOf(name, known))
  if (meant === undefined) return null
  return inSiteLanguage(problemOf('misspelt_admonition', place, name, meant))
}

function sharedIds(file: string, markdown: string): string[] {
  const headings = new Map<string, number>()
  const slips: string[] = []
  mapProse(markdown, (line, number) => {
    const id = /^#{1,6}\s.*\{(?:\/\*\s*)?#([^}\s]+)(?:\s*\*\/)?\}\s*$/.exec(line)?.[1]
    if (id === undefined) return line
    const first = headings.get(id)
    if (first !== undefined)
      slips.push(inSiteLanguage(problemOf('shared_heading_id', file, number, id, first)))
    else headings.set(id, number)
    return line
  })
  return slips
}

/** A code block that nothing closes, which swallows the rest of the page. */
function openFence(file: string, markdown: string): string[] {
  const last = { number: 0, fence: '' }
  let isOpen = false
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, mark = ''] = FENCE.exec(line) ?? []
    if (!isOpen && mark !== '') Object.assign(last, { number: index + 1, fence: mark })
    isOpen = isOpen ? !mark.startsWith(last.fence) : mark !== ''
  }
  return isOpen ? [inSiteLanguage(problemOf('open_fence', file, last.number, last.fence))] : []
}

/** Blocks between colons that nothing closes, which then go on to the end of the page, and closing lines that close nothing. */
function openBlocks(file: string, markdown: string): string[] {
  let open: { readonly colons: number; readonly text: string; readonly number: number }[] = []
  const stray: number[] = []
  mapProse(markdown, (line, number) => {
    const [, colons = '', name = ''] = /^(?:> ?)*[ \t]*(:{3,})[ \t]*([a-zA-Z][\w-]*)?/.exec(line) ?? []
    const isClosing = colons !== '' && line.trimEnd().endsWith(colons)
    if (name !== '') open.push({ colons: colons.length, text: `${colons}${name}`, number })
    else if (isClosing) {
      // A closing line ends the outermost block that it is long enough for, with all that stands in it.
      const at = open.findIndex((block) => block.colons <= colons.length)
      if (at < 0) stray.push(number)
      else open = open.slice(0, at)
    }
    return line
  })
  return [
    ...open.map(({ text, number }) => inSiteLanguage(problemOf('open_block', file, number, text))),
    ...stray.map((number) => inSiteLanguage(problemOf('stray_end', file, number))),
  ]
}

/** Text on a link to a missing Markdown file. */
export const brokenMarkdownLink = (place: string, url: string): Message =>
  problemOf('broken_markdown_link', place, url)

/** Every line, those outside of code as they are mapped. Lines are counted from 1. */
function mapProse(markdown: string, map: (line: string, number: number) => string): string[] {
  let fence: string | null = null
  return markdown.split('\n').map((line, index) => {
    const mark = FENCE.exec(line)?.[1]
    if (fence === null && mark !== undefined) fence = mark
    else if (fence !== null && mark?.startsWith(fence)) fence = null
    return fence === null ? map(line, index + 1) : line
  })
}

/**
 * For a site's `markdown` config: `.md` is CommonMark, where braces, comments, `<br>` and `<https://…>` mean what they mean
 * everywhere, and `.mdx` is MDX. Front matter is checked where it is read.
 */
export function markdownForWriters({ required }: { readonly required: readonly string[] }) {
  return {
    format: 'detect',
    preprocessor: ({ fileContent }) => titleAdmonitions(fileContent),
    parseFrontMatter: async ({ defaultParseFrontMatter, ...file }) => {
      const page = await readPage(file, defaultParseFrontMatter, required)
      // While writing, the page itself shows the problem (mdx-loader.ts), and the rest of the site goes on.
      if (page.problem !== undefined && process.env.NODE_ENV === 'production') throw pageError(page.problem)
      return page
    },
  } satisfies Partial<MarkdownConfig>
}

async function readPage(
  file: Omit<Parameters<ParseFrontMatter>[0], 'defaultParseFrontMatter'>,
  parse: DefaultParseFrontMatter,
  required: readonly string[],
): Promise<CheckedPage> {
  const name = path.relative(process.cwd(), file.filePath)
  try {
    let page = await parse(file)
    // gray-matter keeps a text that it could not read, and has no front matter in it for whoever asks again.
    if (Object.keys(page.frontMatter).length === 0 && /^---\r?\n/.test(file.fileContent))
      page = await parse({ ...file, fileContent: `${file.fileContent}\n${randomUUID()}` }).then(() => page)
    return checkFrontMatter(name, file.fileContent, page, required)
  } catch (error) {
    const page = describeYamlError(name, file.fileContent, error)
    if (page === null) throw error
    return page
  }
}
