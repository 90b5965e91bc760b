import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listLoaded } from './weigh-page.ts'

const siteDir = join(import.meta.dirname, '../../site')
const buildDir = join(siteDir, 'build')
const siteFile = join(buildDir, '__sekisho/site.json')

/** Parts that few readers use, with words that only their code holds: no page may name their scripts. */
const PARTS: [part: string, words: RegExp][] = [
  ['the identity SDK', /identitytoolkit|firebaseapp\.com/],
  ['Mermaid', /mermaidAPI|flowchart-elk/],
  ['KaTeX', /katex-error/],
  ['the search dialog', /sekisho-search__footer/],
  ['polyfills of browsers older than three years', /__core-js_shared__/],
]

it('is compiled for browsers of the last three years', () => {
  const { browserslist } = JSON.parse(readFileSync(join(siteDir, 'package.json'), 'utf8'))
  expect(browserslist.production).toEqual(['last 3 years and >0.2%', 'not dead'])
})

// The portal is built before `npm test` comes here; without a build there is nothing to look at.
describe.skipIf(!existsSync(siteFile))('what the portal sends with its pages', () => {
  const { pages } = existsSync(siteFile)
    ? (JSON.parse(readFileSync(siteFile, 'utf8')) as { pages: { path: string; file: string }[] })
    : { pages: [] }
  const read = (file: string) => readFileSync(join(buildDir, decodeURIComponent(file)), 'utf8')
  const documents = pages.map(({ path, file }) => ({ path, html: read(file) }))
  const named = new Set(documents.flatMap(({ html }) => listLoaded(html)))
  const scripts = [...named]
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({ file, code: read(file) }))

  it.each(PARTS)('is nothing of %s', (_part, words) => {
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter(({ code }) => words.test(code)).map(({ file }) => file)).toEqual([])
  })

  it('is a style sheet for formulas only where there is one', () => {
    const linked = documents.filter(({ html }) => listLoaded(html).some((file) => /katex.*\.css$/.test(file)))
    expect(linked.map(({ path }) => path)).toEqual(
      documents.filter(({ html }) => /class="?katex/.test(html)).map(({ path }) => path),
    )
    expect(linked.length).toBeGreaterThan(0)
    expect(linked.length).toBeLessThan(documents.length)
  })

  it('is everything a first paint needs, in the page itself', () => {
    for (const { path, html } of documents) {
      const body = html.indexOf('<body')
      const head = html.slice(0, body).replace(/<link data-rh[^>]*>/g, '')
      expect({ path, linked: /<link\b[^>]*\bstylesheet/.test(head) }).toEqual({ path, linked: false })
      expect(html.slice(0, body), `styles of ${path}`).toMatch(/<style[^>]*>.*\.navbar/s)
      // The whole sheet comes after everything that is painted.
      expect(html.slice(html.lastIndexOf('</div>')), `link of ${path}`).toMatch(/<link\b[^>]*\bstylesheet/)
    }
  })

  it('is one bundle, of which no file holds the SDK that only the login page has', () => {
    const all = readdirSync(join(buildDir, 'assets/js')).map((file) => read(`assets/js/${file}`))
    expect(all.some((code) => /identitytoolkit/.test(code))).toBe(false)
  })
})
