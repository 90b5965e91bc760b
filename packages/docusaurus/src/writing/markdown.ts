import path from 'node:path'
import type { DefaultParseFrontMatter, MarkdownConfig, ParseFrontMatter } from '@docusaurus/types'
import { type CheckedPage, checkFrontMatter, describeYamlError } from './front-matter.ts'
import { pageError } from './problems.ts'

/** What Docusaurus takes for an admonition, unless a site adds to it. */
const ADMONITION = 'note|tip|info|warning|danger|caution|important|secondary|success'
const TITLED = new RegExp(`^((?:> ?)*[ \\t]*:{3,}(?:${ADMONITION}))[ \\t\\u3000]+([^\\s[{].*?)[ \\t]*$`)
const FENCE = /^(?:> ?)*\s*(`{3,}|~{3,})/

/**
 * Reads `:::note 題` as `:::note[題]`, as people have written it since Docusaurus 1. Lines stay where they are, and code is
 * left alone, which Docusaurus' own `mdx1Compat.admonitions` does not do.
 */
export function titleAdmonitions(markdown: string): string {
  let fence: string | null = null
  return markdown
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.[1]
      if (fence === null && mark !== undefined) fence = mark
      else if (fence !== null && mark?.startsWith(fence)) fence = null
      return fence === null ? line.replace(TITLED, '$1[$2]') : line
    })
    .join('\n')
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
    return checkFrontMatter(name, file.fileContent, await parse(file), required)
  } catch (error) {
    const page = describeYamlError(name, file.fileContent, error)
    if (page === null) throw error
    return page
  }
}
