/** On the `pre` of finished lines; code of any other component looks as that draws it. */
export const FINISHED_CODE = 'sekisho-code'

/** The element of a line: `span` until Docusaurus 3.9, `div` since. */
export type LineTag = 'div' | 'span'

/** Decoration of a line besides its tokens. */
interface LineOptions {
  readonly tag: LineTag
  /** Classes by line index, from highlight ranges and magic comments. */
  classNames: { [line: number]: readonly string[] }
  isNumbered: boolean
}

/** Joins highlighted lines into the content of a `code` element, each line ending as the stock theme ends it. */
export function writeLines(lines: readonly string[], { tag, classNames, isNumbered }: LineOptions): string {
  return lines
    .map((line, index) => {
      const names = ['token-line', ...(classNames[index] ?? []), ...(isNumbered ? ['sekisho-code-line'] : [])]
      const content = isNumbered
        ? `<span class="sekisho-code-number"></span><span class="sekisho-code-content">${line}</span>`
        : line
      return `<${tag} class="${names.join(' ')}">${content}<br></${tag}>`
    })
    .join('')
}

/** Gets the code back from its lines: what the copy button copies. */
export function readCode(html: string): string {
  return html
    .replace(/<br><\/(?:div|span)>/g, '\n')
    .replace(/\n$/, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}
