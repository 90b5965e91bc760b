import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeFiles } from '@sekisho/release/testing'
import { expect, it, onTestFinished } from 'vitest'
import { runDev } from './dev.ts'

/**
 * Replaces Docusaurus: records its arguments and the documents. In the unrestricted edition it edits the site and waits for the effect,
 * then selects the next edition as a writer does, and finally all pages.
 */
const DOCUSAURUS = `
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
const [site, runs] = [process.env.REAL_SITE, process.env.REAL_SITE + '/.runs']
const ask = async (query, init) =>
  (await fetch(process.env.SEKISHO_DEV_SEARCH + '/__gate/dev/editions?' + query, init)).json()
const documents = () => readdirSync('docs').sort()
const { shown, editions } = await ask('page=/docs/intro')
const first = documents()
if (shown === 'everyone') {
  writeFileSync(site + '/docs/late.md', '---\\naudience: staff\\n---\\n')
  writeFileSync(site + '/docs/soon.md', '# soon\\n')
  while (!existsSync('docs/soon.md')) await wait(20)
}
const args = process.argv.slice(2).join(' ')
appendFileSync(runs, JSON.stringify({ shown, names: editions.map(({ name }) => name), args, first, last: documents() }) + '\\n')
if (shown === null) process.exit(0)
const from = await fetch(process.env.SEKISHO_DEV_SEARCH + '/__gate/dev/editions?edition=', {
  method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' },
})
if (from.status !== 403) process.exit(9)
await ask('edition=' + (shown === 'everyone' ? 'staff' : ''), { method: 'POST' })
setInterval(() => {}, 1000)
`

function writeSite(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-dev-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const files = {
    'node_modules/@docusaurus/core/package.json': '{"name":"@docusaurus/core"}',
    'node_modules/@docusaurus/core/bin/docusaurus.mjs': DOCUSAURUS,
    'package.json': '{}',
    'docusaurus.config.js': 'export default {}',
    'sekisho.editions.json': JSON.stringify({
      editions: [
        { name: 'staff', audiences: ['staff'] },
        { name: 'everyone', audiences: [] },
      ],
    }),
    'docs/intro.md': '# intro\n',
    'docs/duty.md': '---\naudience: staff\n---\n\n# duty\n',
  }
  writeFiles(dir, files)
  symlinkSync(resolve('node_modules/@docusaurus/utils'), join(dir, 'node_modules/@docusaurus/utils'))
  return dir
}

async function dev(dir: string, ...args: string[]) {
  const complaints: string[] = []
  const code = await runDev(['--site', '.', ...args], {
    env: { ...process.env, REAL_SITE: dir, SEKISHO_LANG: 'en' },
    cwd: dir,
    clock: Date.now,
    print: () => undefined,
    complain: (line) => complaints.push(line),
  })
  return { code, said: complaints.join('\n') }
}

it('shows a site as readers of an edition get it, follows its edits, and changes the edition when its writer does', async () => {
  const dir = writeSite()
  expect(await dev(dir, '--edition', 'everyone', '--locale', 'en')).toEqual({ code: 0, said: '' })
  const lines = readFileSync(join(dir, '.runs'), 'utf8').trim().split('\n')
  const runs = lines.map((line) => JSON.parse(line))
  const names = ['staff', 'everyone']
  const everything = ['duty.md', 'intro.md', 'late.md', 'soon.md']
  expect(runs).toMatchObject([
    { shown: 'everyone', names, first: ['intro.md'], last: ['intro.md', 'soon.md'] },
    { shown: 'staff', names, first: everything, last: everything },
    { shown: null, names, first: everything, last: everything },
  ])
  expect(runs.every(({ args }) => args.endsWith('--locale en'))).toBe(true)
  expect(runs.map(({ args }) => args.includes('--config sekisho.edition.config.mjs'))).toEqual([
    true,
    true,
    false,
  ])
}, 60_000)

it('says of an edition that is none which there is not, and starts nothing', async () => {
  expect(await dev(writeSite(), '--edition', 'nobody')).toEqual({
    code: 2,
    said: expect.stringContaining('nobody'),
  })
})
