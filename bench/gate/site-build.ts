import { writeFiles } from '@sekisho/release/testing'
import { createRandom } from '../corpus/random.ts'
import { CLAUSES, NOUNS } from '../corpus/words.ts'

/** The page that throughput is measured on, and its exact size. */
export const MEASURED_PAGE = { path: '/docs/measured', bytes: 10_240 }

/** The path of one of the other pages, numbered from 1. */
export function pagePath(serial: number): string {
  return `/docs/area-${serial % 40}/page-${serial}`
}

/**
 * Writes what a site build of `pages` pages leaves behind, without running a site generator: the gate sees bytes
 * and names only. Each page has a script of its own and all share one, as Docusaurus has it.
 */
export function writeSiteBuild(buildDir: string, pages: number): void {
  const random = createRandom(5)
  const write = (name: string, text: string) => writeFiles(buildDir, { [name]: text })
  const sentence = () => random.pick(CLAUSES)(random.pick(NOUNS), random.pick(NOUNS))
  const prose = (bytes: number) => {
    let text = ''
    while (Buffer.byteLength(text) < bytes) text += `<p>${sentence()}${sentence()}</p>\n`
    return text
  }
  const listed = [{ path: MEASURED_PAGE.path, file: 'docs/measured/index.html', title: '測定' }]
  write('docs/measured/index.html', exactly(MEASURED_PAGE.bytes, html('測定', 'measured', prose(9_000))))
  for (let serial = 1; serial < pages; serial += 1) {
    const [path, title] = [pagePath(serial), `${random.pick(NOUNS)} ${serial}`]
    const body = prose(random.between(8_000, 24_000))
    write(`${path.slice(1)}/index.html`, html(title, String(serial), body))
    write(`assets/js/${chunkOf(String(serial))}`, `console.log(${JSON.stringify(body)})`)
    listed.push({ path, file: `${path.slice(1)}/index.html`, title })
  }
  write(`assets/js/${chunkOf('measured')}`, `console.log(${JSON.stringify(prose(9_000))})`)
  write('assets/js/main.0a1b2c3d.js', `console.log(${JSON.stringify(prose(80_000))})`)
  write('404.html', html('見つかりません', 'measured', prose(1_000)))
  const site = {
    format: 1,
    title: 'Sekisho',
    tagline: '測定',
    lang: 'ja',
    baseUrl: '/',
    redirects: [],
    notFound: '404.html',
  }
  write('__sekisho/site.json', JSON.stringify({ ...site, pages: listed }))
}

function chunkOf(serial: string): string {
  return `c${serial}.${Buffer.from(serial.padStart(4, '0')).toString('hex').slice(0, 8).padEnd(8, '0')}.js`
}

function html(title: string, serial: string, body: string): string {
  const scripts = ['main.0a1b2c3d.js', chunkOf(serial)].map(
    (name) => `<script defer src="/assets/js/${name}"></script>`,
  )
  const theme = "<script>document.documentElement.dataset.theme='light'</script>"
  return `<!doctype html><html lang="ja"><head><meta charset="utf-8"><title>${title}</title>${theme}${scripts.join('')}</head><body>${body}</body></html>`
}

/** Brings a page to an exact size with a comment at its end. */
function exactly(bytes: number, text: string): string {
  const missing = bytes - Buffer.byteLength(text) - '<!---->'.length
  if (missing < 0) throw new Error(`the measured page is ${-missing} bytes too long`)
  return `${text}<!--${'x'.repeat(missing)}-->`
}
