import { encodePath } from '@sekisho/contract/canonical-path'
import { PAGE_ENDING, PAGE_PATH_END } from '@sekisho/contract/page-markdown'
import { readRefresh } from '@sekisho/contract/page-metadata'
import { attribute, type Element, elements, type Parent, plainText } from '@sekisho/search/html'
import { parse } from 'parse5'

/** Finds the files of a folder that a file of it loads or leads to. */
type FindReferences = (name: string, text: string) => readonly string[]

const HOST = 'folder.invalid'
const XML = /\.(?:svg|xml)$/i
const CSS = /\.css$/i
const SCRIPT = /\.[cm]?js$/i
const JSON_FILE = /\.(?:json|webmanifest)$/i
/** Files whose text names other files. */
export const namesFiles = (name: string): boolean =>
  [PAGE_ENDING, XML, CSS, SCRIPT, JSON_FILE].some((pattern) => pattern.test(name))

/** Attributes that hold several addresses. */
const LISTS = /(?:srcset|^ping|^archive)$/i
const CSS_ADDRESS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))\s*\)|"([^"\n]*)"|'([^'\n]*)'/gi
const CSS_ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|(.))/gi
/** Modules that a script cannot run without; what it imports later may be another page's. */
const STATIC_IMPORT = /\b(?:import|from)\s*["']([^"'\n]+)["']|[#@]\s*sourceMappingURL=(\S+)/g
const JSON_TYPES = /^\s*(?:application\/ld\+json|importmap|application\/manifest\+json)\s*$/i

/**
 * Makes the finder for a folder: by an HTML parser and every attribute, style sheets, manifests and static imports. Addresses are resolved as
 * browsers do, and compared in NFC; one that differs from a file in case alone means that file.
 */
export function createReferenceFinder(names: readonly string[], baseUrl: string): FindReferences {
  const forms = names.flatMap((name) => formsOf(name.normalize('NFC')).map((form) => ({ form, name })))
  const exact = Map.groupBy(forms, ({ form }) => form)
  const folded = Map.groupBy(forms, ({ form }) => form.toLowerCase())

  return (name, text) => {
    const { base, hosts, addresses } = readAddresses(
      name,
      text,
      `http://${HOST}${encodePath(baseUrl + name)}`,
    )
    const found = addresses.flatMap((address) => {
      const url = URL.parse(address, base)
      if (url === null || !/^https?:$/.test(url.protocol) || !hosts.has(url.hostname)) return []
      const path = decode(url.pathname).normalize('NFC')
      if (!path.startsWith(baseUrl)) return []
      const file = path.slice(baseUrl.length)
      return (exact.get(file) ?? folded.get(file.toLowerCase()) ?? []).map((known) => known.name)
    })
    return [...new Set(found)].filter((file) => file !== name)
  }
}

/** The paths that lead to a file: to a page also without its ending, and to one that is an index by its folder. */
function formsOf(name: string): readonly string[] {
  if (!PAGE_ENDING.test(name)) return [name]
  const stem = name.replace(PAGE_PATH_END, '')
  return [...new Set([name, name.replace(PAGE_ENDING, ''), stem, `${stem}/`])].filter((one) => one !== '/')
}

interface Addresses {
  /** Against which addresses are resolved: a page may name another one. */
  readonly base: string
  /** The names by which the site knows itself. */
  readonly hosts: ReadonlySet<string>
  readonly addresses: readonly string[]
}

function readAddresses(name: string, text: string, base: string): Addresses {
  if (PAGE_ENDING.test(name) || XML.test(name)) return readDocument(text, base)
  const addresses = CSS.test(name)
    ? addressesInStyles(text)
    : SCRIPT.test(name)
      ? addressesInScript(text)
      : JSON_FILE.test(name)
        ? addressesInJson(text)
        : []
  return { base, hosts: new Set([HOST]), addresses }
}

function readDocument(html: string, file: string): Addresses {
  const found = allElements(html)
  const href = (tagName: string, fits: (element: Element) => boolean) =>
    found
      .filter((element) => element.tagName === tagName && fits(element))
      .map((one) => attribute(one, 'href') ?? '')
  const canonical = href('link', (one) => /\bcanonical\b/i.test(attribute(one, 'rel') ?? ''))
  const own = found
    .filter((one) => one.tagName === 'meta' && attribute(one, 'property') === 'og:url')
    .map((one) => attribute(one, 'content') ?? '')
  const hosts = [...canonical, ...own].flatMap((address) => URL.parse(address)?.hostname ?? [])
  const [base = ''] = href('base', (one) => attribute(one, 'href') !== null)
  const resolved = URL.parse(base, file)?.href ?? file
  return { base: resolved, hosts: new Set([HOST, ...hosts]), addresses: found.flatMap(addressesOf) }
}

const parseAll = (html: string) => parse(html, { scriptingEnabled: false, sourceCodeLocationInfo: true })

/** The scripts within a page. */
export const scriptsIn = (html: string): string =>
  allElements(html)
    .flatMap(({ tagName, childNodes }) => (tagName === 'script' ? childNodes : []))
    .map((node) => ('value' in node ? node.value : ''))
    .join('\n')

/** All elements, those inside of templates, of `<noscript>` and of documents in attributes too. */
export function allElements(html: string): readonly Element[] {
  const found: Element[] = []
  const waiting: Parent[] = [parseAll(html)]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const element of elements(next)) {
      found.push(element)
      if ('content' in element) waiting.push(element.content as Parent) // a template, by parse5's own type
      const inner = attribute(element, 'srcdoc')
      if (inner !== null) waiting.push(parseAll(inner))
    }
  return found
}

function addressesOf(element: Element): readonly string[] {
  const { tagName, attrs } = element
  const text = () => element.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
  const isJson = JSON_TYPES.test(attribute(element, 'type') ?? '')
  return [
    ...attrs.flatMap(({ name, value }) => addressesInAttribute(name, value)),
    ...(tagName === 'style' ? addressesInStyles(text() || plainText(element)) : []),
    ...(tagName === 'script' ? (isJson ? addressesInJson(text()) : addressesInScript(text())) : []),
  ]
}

function addressesInAttribute(name: string, value: string): readonly string[] {
  if (LISTS.test(name)) return [value, ...value.split(/[\s,]+/), ...value.split(/\s+/)]
  if (name === 'style' || /\burl\(/i.test(value)) return [value, ...addressesInStyles(value)]
  const refreshed = name === 'content' ? readRefresh(value) : null
  if (refreshed !== null) return [value, refreshed.target]
  return /^\s*[[{]/.test(value) ? [value, ...addressesInJson(value)] : [value]
}

const addressesInStyles = (css: string): readonly string[] =>
  [...css.matchAll(CSS_ADDRESS)].flatMap(([, ...groups]) => {
    const address = groups.find((group) => group !== undefined) ?? ''
    const plain = address.replace(CSS_ESCAPE, (_, hex, one) =>
      hex === undefined ? one : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
    )
    return [plain.trim()]
  })

const addressesInScript = (script: string): readonly string[] =>
  [...script.matchAll(STATIC_IMPORT)].map(([, module, map]) => module ?? map ?? '')

function addressesInJson(text: string): readonly string[] {
  const found: string[] = []
  try {
    JSON.parse(text, (key, value: unknown) => {
      found.push(key)
      if (typeof value === 'string') found.push(value)
      return value
    })
  } catch {
    return [] // no JSON, and no browser reads it
  }
  return found
}

/** Undoes percent-encoding where it is UTF-8; anything else stays as it is written. */
function decode(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return escaped
    }
  })
}
