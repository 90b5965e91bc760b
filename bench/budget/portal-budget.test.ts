import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createScales, listLoaded } from './weigh-page.ts'

const buildDir = join(import.meta.dirname, '../../site/build')
const siteFile = join(buildDir, '__sekisho/site.json')

/** Bytes of brotli until a page is hydrated, which depend on no machine. HTML of documents: 200 of them are related pages. */
const BUDGETS: [
  kind: string,
  pages: RegExp,
  limits: { html: number; css: number; js: number; requests: number },
][] = [
  [
    'the documentation page that shows every part: tabs, formulas, diagrams',
    /^\/docs\/sekisho-base\/$/,
    // The minifier names variables differently from run to run: 25 bytes.
    { html: 27_300, css: 22_030, js: 130_300, requests: 6 },
  ],
  [
    'a documentation page',
    /^\/(?:docs|knowledge|api)(?:\/(?!sekisho-base\/$)|$)/,
    // The names of scripts depend on the folder of the build, and their bytes by some sixty with them.
    { html: 23_200, css: 19_280, js: 125_720, requests: 6 },
  ],
  // A list of posts loads the beginning of each.
  ['a page of the blog', /^\/blog(?:\/|$)/, { html: 19_350, css: 22_030, js: 130_000, requests: 11 }],
  [
    'any other page',
    /^\/(?!docs|knowledge|api|blog)/,
    { html: 12_400, css: 19_280, js: 114_000, requests: 7 },
  ],
]

/** Limit of the page most readers open most often: documentation without tabs or diagrams. */
const TYPICAL_JS = 120_800

it('finds what a page loads, however its attributes are written', () => {
  const html =
    '<link rel=stylesheet href=/a.css /><link rel="icon" href="/i.svg"><script src="/b.js" defer></script><script>x</script><script async="" src=/c.js></script>'
  expect(listLoaded(html)).toEqual(['/a.css', '/b.js', '/c.js'])
})

// The portal is built before `npm test` comes here; without a build there is nothing to weigh.
describe.skipIf(!existsSync(siteFile))('the portal', () => {
  const pages = existsSync(siteFile)
    ? (JSON.parse(readFileSync(siteFile, 'utf8')) as { pages: { path: string; file: string }[] }).pages
    : []
  const weigh = createScales(buildDir)

  it('names no folder of the machine that built it', () => {
    const scripts = readdirSync(join(buildDir, 'assets/js')).filter((name) => name.endsWith('.js'))
    const telling = scripts.filter((name) =>
      readFileSync(join(buildDir, 'assets/js', name), 'utf8').includes(join(buildDir, '..')),
    )
    expect([scripts.length > 0, telling]).toEqual([true, []])
  })

  it('has what every page asks for in the main script, not once in the script of each', () => {
    const copies = new Map<string, number>()
    for (const name of readdirSync(join(buildDir, 'assets/js'))) {
      const text = name.endsWith('.js') ? readFileSync(join(buildDir, 'assets/js', name), 'utf8') : ''
      const modules = new Set([...text.matchAll(/[{,](\d+)\([\w$,]*\)\{/g)].map(([, id = '']) => id))
      for (const id of modules) copies.set(id, (copies.get(id) ?? 0) + 1)
    }
    // Diagrams' parts come in up to fourteen of its scripts.
    const common = [...copies].filter(([, scripts]) => scripts > pages.length / 3)
    expect([copies.size > 100, common]).toEqual([true, []])
  })

  it.each(BUDGETS)('%s keeps within its bytes and requests', (_kind, matches, limits) => {
    const chosen = pages.filter(({ path }) => matches.test(path))
    expect(chosen.length).toBeGreaterThan(0)
    for (const { path, file } of chosen) {
      const { htmlBytes, cssBytes, jsBytes, requests, foreign } = weigh(file)
      expect({ path, foreign }).toEqual({ path, foreign: [] })
      expect(htmlBytes, `HTML of ${path}`).toBeLessThanOrEqual(limits.html)
      expect(cssBytes, `style sheets of ${path}`).toBeLessThanOrEqual(limits.css)
      expect(jsBytes, `scripts of ${path}`).toBeLessThanOrEqual(limits.js)
      expect(requests, `requests of ${path}`).toBeLessThanOrEqual(limits.requests)
    }
  })

  it(`a typical documentation page has at most ${TYPICAL_JS} bytes of JavaScript`, () => {
    const sizes = pages.filter(({ path }) => path.startsWith('/docs/')).map(({ file }) => weigh(file).jsBytes)
    expect(sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(TYPICAL_JS)
  })
})
