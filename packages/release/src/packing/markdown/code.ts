import {
  attribute,
  classOf,
  type Element,
  elementsOf,
  findElement,
  hasClass,
  isElement,
  isSilent,
  textOf,
} from './html-nodes.ts'
import { longestRun } from './inline.ts'

/** A block of code with the elements around it that hold nothing else: line numbers, a title, the name of the language. */
interface CodeFrame {
  readonly code: Element | null
  readonly title: string
  readonly language: string
}

const AROUND_CODE = /^(?:div|figure|table|tbody|tr|td|th|code)$|-/
const TITLE = /title|caption|filename/i
const NUMBERS = /^[\d\s]*$/
const MAX_TITLE_LENGTH = 200

/** The fenced block of an element that is code, or is a frame of one; null for any other. */
export function codeBlock(element: Element): string | null {
  const { code, title, language } = frameOf(element) ?? NO_FRAME
  if (code === null) return null
  const lines = code.tagName === 'pre' ? [code] : elementsOf(code)
  const text = lines
    .map((line) => textOf(line, (one) => isSilent(one) || isLineNumber(one)).replace(/\n$/, ''))
    .join('\n')
  const named = title === '' || title === language ? '' : `title="${title}"`
  return fenced([language, named].filter((part) => part !== '').join(' '), text)
}

/** Writes a block of code; its fence is longer than any run of backticks inside. */
export function fenced(info: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
  return `${fence}${info}\n${text}\n${fence}`
}

const NO_FRAME: CodeFrame = { code: null, title: '', language: '' }

/** Doxygen writes its lines of code without `pre`. */
const isCode = (element: Element): boolean => {
  if (element.tagName === 'pre') return true
  const lines = element.tagName === 'div' ? elementsOf(element) : []
  return lines[0] !== undefined && lines.every((one) => one.tagName === 'div' && hasClass(one, 'line'))
}

/** Null for a tab's panel, and for an element with a text of its own, apart from digits: those are the numbers of lines. */
function frameOf(element: Element): CodeFrame | null {
  if (attribute(element, 'role') === 'tabpanel') return null
  const language = languageOf(element) ?? ''
  if (isCode(element)) {
    if (NUMBERS.test(textOf(element))) return NO_FRAME
    const inside = findElement(element, (one) => languageOf(one) !== null)
    return { code: element, title: '', language: (inside && languageOf(inside)) || language }
  }
  let frame: CodeFrame = { ...NO_FRAME, language }
  for (const child of element.childNodes) {
    if ('value' in child && !NUMBERS.test(child.value)) return null
    if (!isElement(child) || isSilent(child) || hasClass(child, 'lang')) continue
    const part: CodeFrame | null = isTitle(child) ? titled(child) : frameOf(child)
    if (part === null || (part.code !== null && frame.code !== null)) return null
    frame = {
      code: part.code ?? frame.code,
      title: part.title || frame.title,
      language: part.language || frame.language,
    }
  }
  return frame.code === null || AROUND_CODE.test(element.tagName) ? frame : null
}

const isTitle = (element: Element): boolean =>
  (element.tagName === 'figcaption' || TITLE.test(classOf(element))) && findElement(element, isCode) === null

const titled = (element: Element): CodeFrame => ({
  ...NO_FRAME,
  title: textOf(element, isSilent)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .replaceAll('"', "'"),
})

/** The number of a line within code: digits that a class or a marker tells from those of the code. */
const isLineNumber = (element: Element): boolean =>
  (attribute(element, 'data-nosnippet') !== null ||
    /(?:^|[\s_-])(?:lnt?|line-?no?s?|line-?num(?:ber)?s?|line-?nos|gutter)(?:$|[\s_-])/i.test(
      classOf(element),
    )) &&
  NUMBERS.test(textOf(element))

/** Classes that name a language by itself, as TypeDoc and rustdoc have it. */
const LANGUAGES: ReadonlySet<string> = new Set(
  'bash c clojure cpp cs csharp css dart diff docker dockerfile elixir elm erlang fsharp go graphql groovy haskell hcl html http ini java javascript js json jsx julia kotlin lua makefile markdown md mdx nginx nix objc ocaml perl php powershell proto python py r ruby rs rust scala scss sh shell sql svelte swift toml ts tsx typescript vue xml yaml yml zig'.split(
    ' ',
  ),
)
const UNNAMED = /^(?:text|plain|plaintext|txt|none|default|nohighlight|notranslate|undefined|js-highlight)$/i

/** The language that an element names; null without one, empty for plain text. */
function languageOf(element: Element): string | null {
  const data = attribute(element, 'data-language') ?? attribute(element, 'data-lang')
  const brush = /\bbrush:\s*([\w+#.-]+)/.exec(
    attribute(element, 'data-syntaxhighlighter-params') ?? classOf(element),
  )?.[1]
  const tokens = [...classOf(element).split(/\s+/), attribute(element, 'lang') ?? '']
  const name =
    data ??
    brush ??
    tokens
      .map((one) => /^(?:lang(?:uage)?|highlight(?:-source|-text)?|src)-([\w+#.-]+)$/.exec(one)?.[1])
      .find((one) => one !== undefined) ??
    (/^(?:pre|code|figure)$/.test(element.tagName) ? tokens.find((one) => LANGUAGES.has(one)) : undefined)
  if (name === undefined || !/^[\w+#.-]{1,40}$/.test(name)) return null
  return UNNAMED.test(name) ? '' : name
}
