import { hash } from 'node:crypto'
import { Parser } from 'htmlparser2'

/** What a page carries and asks for; each thing once, in the order of the page. */
export interface PageContents {
  /** CSP source expressions of its inline scripts. */
  readonly scriptHashes: readonly string[]
  /** Paths of the scripts, styles and preloads it names. */
  readonly references: readonly string[]
}

/** Script types that a browser runs or obeys; any other is a data block, which CSP leaves alone. */
const RUN = /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i

/** Reads a page: hashes its inline scripts, so that its CSP can name exactly these, and notes its assets. */
export function readPage(html: string): PageContents {
  const references = new Set<string>()
  const scripts = new Set<string>()
  let isScript = false
  let text = ''
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        isScript =
          name === 'script' && attributes.src === undefined && RUN.test((attributes.type ?? '').trim())
        text = ''
        const reference = name === 'script' ? attributes.src : name === 'link' ? attributes.href : undefined
        if (reference?.startsWith('/')) references.add(reference)
      },
      ontext(data) {
        if (isScript) text += data
      },
      onclosetag(name) {
        if (isScript && name === 'script') scripts.add(sourceExpression(text))
        isScript = false
      },
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true },
  )
  // The browser's own first step: line endings become \n before anything is hashed.
  parser.end(html.replace(/\r\n?/g, '\n'))
  return { scriptHashes: [...scripts], references: [...references] }
}

function sourceExpression(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}
