/** A text from the definition that is no Markdown, on one line. */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>{}|#&~$]/g, '\\$&')
}

/** Code within a line, whatever it holds. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

/** A block of code. */
export function block(language: string, text: string, title?: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const head = title === undefined ? language : `${language} title="${title.replaceAll('"', "'")}"`
  return `${fence}${head}\n${text}\n${fence}`
}

/** A value as JSON within a line. */
export const value = (given: unknown): string => code(JSON.stringify(given) ?? 'null')

/** Every line of a Markdown text moved to the right, as the content of a list item is. */
export const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')

const FENCE = /^\s*(`{3,}|~{3,})/

/** A description, whose headings go below those of the page. */
export function description(text: string | undefined, topLevel = 3): string {
  const lines = (text ?? '').trim().split('\n')
  let fence: string | null = null
  const levels: number[] = []
  const read = lines.map((line) => {
    const mark = FENCE.exec(line)?.[1]
    if (fence === null && mark !== undefined) fence = mark
    else if (fence !== null && mark?.startsWith(fence)) fence = null
    const heading = fence === null ? /^(#{1,6})(?=\s)/.exec(line)?.[1] : undefined
    if (heading !== undefined) levels.push(heading.length)
    return { line, level: heading?.length }
  })
  const highest = Math.min(...levels)
  return read
    .map(({ line, level }) =>
      level === undefined
        ? line
        : `${'#'.repeat(Math.min(6, level - highest + topLevel))}${line.slice(level)}`,
    )
    .join('\n')
}

/** The first sentence of a description, without Markdown, for a page's own description. */
export function firstSentence(text: string | undefined): string | null {
  const paragraph = (text ?? '').trim().split(/\n\s*\n/, 1)[0] ?? ''
  const words = paragraph
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_]|<[^>]*>|^#+\s/g, '')
    .replace(/\s*\n\s*/g, ' ')
  return /^.+?(?:。|[.!?](?=\s|$)|$)/.exec(words)?.[0] ?? null
}

/** A part of an address out of a name: letters of any script, digits and hyphens. */
export function slug(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** Front matter and heading. `.md` here is CommonMark whatever the site's own pages are, as descriptions are. */
export function pageHead(head: {
  readonly title: string
  readonly description: string
  readonly keywords?: readonly string[]
  readonly position?: number
}): string {
  const { title, description: about, keywords = [], position } = head
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(about)}`,
    ...(keywords.length === 0 ? [] : [`keywords: ${JSON.stringify(keywords)}`]),
    ...(position === undefined ? [] : [`sidebar_position: ${position}`]),
    'mdx: { format: md }',
    'custom_edit_url: null',
    '---',
    '',
    `# ${plain(title)}`,
  ].join('\n')
}

/** Parts of a page, without those that are empty. */
export const join = (...parts: readonly (string | false)[]): string =>
  `${parts.filter((part) => part !== false && part !== '').join('\n\n')}\n`
