import type { Page } from '@playwright/test'
import { OURS } from './expected.ts'

/** Visible content of a page, and its console messages. */
interface Face {
  readonly lines: readonly string[]
  /** `h1 1 font-size` to its computed value. */
  readonly styles: Readonly<Record<string, string>>
  /** Runs of one look within code blocks: `1 rgb(…) normal 400 1 none text`. */
  readonly code: readonly string[]
  /** Elements by name; those within code blocks are told by text and colour alone. */
  readonly counts: Readonly<Record<string, number>>
  /** Entries of the head, by name: `meta description`, `link canonical`. */
  readonly head: readonly string[]
  readonly console: readonly string[]
  readonly brokenPictures: readonly string[]
  readonly weight: Weight
}

/** Bytes until the page was loaded: as they came, and unpacked. */
export interface Weight {
  readonly sentBytes: number
  readonly unpackedBytes: number
}

/** Reads a page that has been opened and has come to rest. */
export async function readFace(page: Page, messages: readonly string[]): Promise<Face> {
  const face = await page.evaluate(readInBrowser, OURS.map(({ selector }) => selector).join(', '))
  return { ...face, console: [...new Set(messages)].sort() }
}

/** Runs in the browser, so it uses nothing of this module. */
function readInBrowser(ours: string): Omit<Face, 'console'> {
  const SELECTORS = [
    'h1',
    'h2',
    'h3',
    'p',
    'a',
    'code',
    'pre',
    'table',
    'th',
    'td',
    'li',
    'blockquote',
    'img',
    'button',
    'input',
    'summary',
  ]
  const PROPERTIES = [
    'display',
    'font-family',
    'font-size',
    'font-weight',
    'line-height',
    'letter-spacing',
    'color',
    'background-color',
    'margin',
    'padding',
    'border',
    'text-align',
    'text-decoration',
  ]
  const MOST = 4
  const entries = performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
  const loadedAt = (entries[0] as PerformanceNavigationTiming | undefined)?.loadEventEnd ?? 0
  // What is fetched for pages to come is not this one's, and how much of it comes in time differs from run to run.
  const ahead = new Set(
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=prefetch]')].map(({ href }) => href),
  )
  const early = (entries as PerformanceResourceTiming[]).filter(
    ({ startTime, initiatorType, name }) =>
      startTime <= loadedAt && !(initiatorType === 'link' && ahead.has(name)),
  )
  const weight = {
    sentBytes: early.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    unpackedBytes: early.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
  }
  for (const element of document.querySelectorAll(ours)) element.remove()

  const root = document.querySelector('#__docusaurus') ?? document.body
  const lines = (root as HTMLElement).innerText
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
  const styles: Record<string, string> = {}
  const main = document.querySelector('main') ?? root
  for (const selector of SELECTORS) {
    const found = [...main.querySelectorAll(selector)].slice(0, MOST)
    for (const [at, element] of found.entries()) {
      const style = getComputedStyle(element)
      for (const property of PROPERTIES)
        styles[`${selector} ${at + 1} ${property}`] = style.getPropertyValue(property)
    }
  }
  const code: string[] = []
  for (const [at, block] of [...main.querySelectorAll('pre')].entries()) {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
    let last = ''
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = (node.textContent ?? '').trim()
      if (text === '' || node.parentElement === null) continue
      const { color, fontStyle, fontWeight, opacity, textShadow } = getComputedStyle(node.parentElement)
      const look = [color, fontStyle, fontWeight, opacity, textShadow].join(' ')
      if (look === last) code[code.length - 1] += text
      else code.push(`${at + 1} ${look} ${text}`)
      last = look
    }
  }
  const counts: Record<string, number> = {}
  for (const { localName } of root.querySelectorAll('*:not(pre *)'))
    counts[localName] = (counts[localName] ?? 0) + 1
  const said = [
    ...document.head.querySelectorAll(
      'meta[name], meta[property], link[rel]:not([rel*=stylesheet], [rel*=load], [rel*=fetch])',
    ),
  ]
  const head = said.map((element) => {
    const name = ['name', 'property', 'rel']
      .map((attribute) => element.getAttribute(attribute) ?? '')
      .join('')
    return `${element.localName} ${name}`
  })
  const brokenPictures = [...document.images]
    .filter(({ complete, naturalWidth }) => complete && naturalWidth === 0)
    .map(({ src }) => src.replace(location.origin, ''))
  return { lines, styles, code, counts, head, brokenPictures, weight }
}

/** One line for each difference between a stock page and the gated one. */
export function compareFaces(stock: Face, gated: Face): readonly string[] {
  const lists = [
    ['text', stock.lines, gated.lines],
    ['code', stock.code, gated.code],
    ['head', stock.head, gated.head],
    ['console', stock.console, gated.console],
    ['broken picture', stock.brokenPictures, gated.brokenPictures],
  ] as const
  return [
    ...lists.flatMap(([what, before, after]) => compareLists(what, before, after)),
    ...compareRecords('style', stock.styles, gated.styles),
    ...compareRecords('count', stock.counts, gated.counts),
  ]
}

function compareLists(what: string, before: readonly string[], after: readonly string[]): string[] {
  const left = missingFrom(after, before).map((line) => `${what} - ${line}`)
  return [...left, ...missingFrom(before, after).map((line) => `${what} + ${line}`)]
}

/** Entries that one list contains more often than another. */
function missingFrom(list: readonly string[], of: readonly string[]): string[] {
  const rest = [...list]
  return of.filter((line) => {
    const at = rest.indexOf(line)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}

function compareRecords(
  what: string,
  before: Readonly<Record<string, string | number>>,
  after: Readonly<Record<string, string | number>>,
): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys
    .filter((key) => before[key] !== after[key])
    .map((key) => `${what} ${key}: ${before[key] ?? 'none'} → ${after[key] ?? 'none'}`)
}
