import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { DefaultParseFrontMatter, MarkdownConfig, ParseFrontMatter } from '@docusaurus/types'
import { type CheckedPage, checkFrontMatter, describeYamlError, isSlipOf } from './front-matter.ts'
import { pageError } from './problems.ts'

/** What Docusaurus takes for an admonition, unless a site adds to it. */
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
 * Mistakes that Docusaurus builds with nevertheless: an admonition whose name is misspelt, and two headings of one id.
 * @param file as a writer knows it, relative to the site
 * @returns a sentence in Japanese for each, with file and line
 */
export function findSlips(file: string, markdown: string): string[] {
  const headings = new Map<string, number>()
  const slips: string[] = []
  mapProse(markdown, (line, number) => {
    const [, name = ''] = /^(?:> ?)*[ \t]*:{3,}([a-z]+)/.exec(line) ?? []
    const meant = ADMONITIONS.includes(name) ? undefined : ADMONITIONS.find((known) => isSlipOf(name, known))
    if (meant !== undefined)
      slips.push(`${file}:${number} の :::${name} は :::${meant} の書き間違いではありませんか。`)
    const id = /^#{1,6}\s.*\{#([^}\s]+)\}\s*$/.exec(line)?.[1]
    const first = id === undefined ? undefined : headings.get(id)
    if (first !== undefined)
      slips.push(
        `${file}:${number} の見出しの id「${id}」は ${first} 行目でも使われています。どちらかを変えてください。`,
      )
    else if (id !== undefined) headings.set(id, number)
    return line
  })
  return slips
}

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
