import { encodePath, equivalentPath } from '@sekisho/contract/canonical-path'
import { escapeHtml } from '@sekisho/contract/login-document'
import { attribute, type Element, elements, findElement } from '@sekisho/search/html'
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, parseFragment, serialize } from 'parse5'

/** Access to files of one edition; null for a path that it does not hold. */
export interface EditionFiles {
  readonly read: (path: string) => Promise<{ readonly type: string; readonly bytes: Buffer } | null>
  /** Name of another page of the package beside this one; null for any other path. */
  readonly linkTo: (path: string) => string | null
}

interface PageText {
  readonly html: string
  /** Decoded canonical path. */
  readonly path: string
  /** One line at the beginning of the page. */
  readonly note: string
}

/** Even a form that this program overlooked loads and runs nothing. */
const POLICY =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
const NOTE_STYLE =
  'margin:0;padding:.5rem;border-bottom:1px solid;font:12px/1.5 monospace;overflow-wrap:anywhere'

const HTML = 'http://www.w3.org/1999/xhtml'

/** Elements that load, run or only navigate. */
const DROPPED = new Set(
  `script noscript template iframe frame frameset object embed applet portal video audio source track base link meta param nav button input
   select textarea dialog animate animateMotion animateTransform set`.split(/\s+/),
)
const DROPPED_ATTRIBUTES = new Set(
  `srcset action formaction background poster ping data cite longdesc manifest imagesrcset srcdoc target autofocus nonce integrity
   crossorigin usemap loading`.split(/\s+/),
)

/**
 * Turns a page into one file that shows its text, pictures and styles without scripts or requests. Resources come from the edition alone;
 * others are left out.
 */
export async function writeSelfContained(page: PageText, files: EditionFiles): Promise<string> {
  const document = parse(page.html)
  for (const element of elements(document)) {
    if (element.tagName === 'link') await inlineStylesheet(element, page.path, files)
    if (DROPPED.has(element.tagName)) defaultTreeAdapter.detachNode(element)
    else await makeLocal(element, page.path, files)
  }
  const head = findElement(document, ({ tagName }) => tagName === 'head')
  const body = findElement(document, ({ tagName }) => tagName === 'body')
  const metas = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}"><meta name="viewport" content="width=device-width, initial-scale=1">`
  if (head !== null) prepend(head, metas)
  if (body !== null) prepend(body, `<p style="${NOTE_STYLE}">${escapeHtml(page.note)}</p>`)
  return serialize(document)
}

function prepend(parent: Element, html: string): void {
  for (const node of parseFragment(html).childNodes.toReversed()) {
    const first: DefaultTreeAdapterMap['childNode'] | undefined = parent.childNodes[0]
    if (first === undefined) defaultTreeAdapter.appendChild(parent, node)
    else defaultTreeAdapter.insertBefore(parent, node, first)
  }
}

/** Puts the text of a stylesheet before the link that loads it. */
async function inlineStylesheet(link: Element, base: string, files: EditionFiles): Promise<void> {
  const kinds = (attribute(link, 'rel') ?? '').toLowerCase().split(/\s+/)
  const path = kinds.includes('stylesheet') ? localPath(attribute(link, 'href') ?? '', base) : null
  const found = path === null ? null : await files.read(path)
  const parent = defaultTreeAdapter.getParentNode(link)
  if (path === null || found === null || parent === null) return
  const style = defaultTreeAdapter.createElement('style', link.namespaceURI, [])
  const media = attribute(link, 'media')
  if (media !== null) style.attrs.push({ name: 'media', value: media })
  defaultTreeAdapter.insertText(style, await inlineUrls(found.bytes.toString(), path, files))
  defaultTreeAdapter.insertBefore(parent, style, link)
}

async function makeLocal(element: Element, base: string, files: EditionFiles): Promise<void> {
  const kept: Element['attrs'] = []
  for (const own of element.attrs) {
    if (own.name.startsWith('on') || DROPPED_ATTRIBUTES.has(own.name)) continue
    const isAddress = own.name === 'src' || own.name === 'href'
    const value = isAddress
      ? await localAddress(element.tagName, own.value, base, files)
      : own.name === 'style' || element.namespaceURI !== HTML
        ? await inlineUrls(own.value, base, files)
        : own.value
    if (value !== null) kept.push({ ...own, value })
  }
  element.attrs = kept
  if (element.tagName !== 'style') return
  for (const child of element.childNodes)
    if (defaultTreeAdapter.isTextNode(child)) child.value = await inlineUrls(child.value, base, files)
}

/** An address that a self-contained page may keep: a place in it, a picture in it, a page beside it, or a link to elsewhere. */
async function localAddress(
  tagName: string,
  value: string,
  base: string,
  files: EditionFiles,
): Promise<string | null> {
  if (value.startsWith('#')) return value
  if (['img', 'image', 'feImage'].includes(tagName)) return dataUrl(value, base, files)
  if (tagName !== 'a' && tagName !== 'area') return null
  const path = localPath(value, base)
  if (path === null) return /^(?:https?|mailto):/i.test(value.trim()) ? value : null
  const name = files.linkTo(path)
  if (name !== null) return `${name}${new URL(value, PORTAL).hash}`
  return path === base ? new URL(value, PORTAL).hash || null : null
}

/** Host that no address of a page names. */
const PORTAL = 'https://portal.invalid'

/** Decoded path of an address on the portal itself; null for any other. */
function localPath(value: string, base: string): string | null {
  const url = URL.parse(value.trim(), `${PORTAL}${encodePath(base)}`)
  return url?.origin === PORTAL ? equivalentPath(PORTAL + url.pathname) : null
}

async function dataUrl(value: string, base: string, files: EditionFiles): Promise<string | null> {
  if (/^data:/i.test(value.trim())) return value
  const path = localPath(value, base)
  const found = path === null ? null : await files.read(path)
  return found === null
    ? null
    : `data:${found.type.replaceAll(' ', '')};base64,${found.bytes.toString('base64')}`
}

const CSS_URL = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)/gi

/** CSS with the files that it names inside it; imports are left out. */
async function inlineUrls(css: string, base: string, files: EditionFiles): Promise<string> {
  const text = css.replace(/@import\b[^;]*;?/gi, '')
  const inlined = new Map<string, string>()
  for (const [whole, ...forms] of text.matchAll(CSS_URL)) {
    const value = forms.find((form) => form !== undefined) ?? ''
    const local = value.startsWith('#') ? value : await dataUrl(value, base, files)
    inlined.set(whole, `url("${(local ?? 'data:,').replace(/["\\\n]/g, encodeURIComponent)}")`)
  }
  return text.replace(CSS_URL, (whole) => inlined.get(whole) ?? '').replaceAll('</', '<\\/')
}
