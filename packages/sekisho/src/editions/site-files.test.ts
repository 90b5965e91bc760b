import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { readEditionsText } from './read-editions.ts'
import { listSiteFiles } from './site-files.ts'

/** Inside the repository, so that the site finds Docusaurus; ignored by Git. */
const SITE = fileURLToPath(new URL('../../.cache/test-sites/audiences', import.meta.url))
const EDITIONS = readEditionsText(
  JSON.stringify({
    editions: [
      { name: 'staff', audiences: ['staff'] },
      { name: 'everyone', audiences: [] },
    ],
  }),
)
beforeEach(() => {
  rmSync(SITE, { recursive: true, force: true })
  mkdirSync(join(SITE, 'docs'), { recursive: true })
  writeFileSync(join(SITE, 'package.json'), '{}')
})
afterAll(() => rmSync(SITE, { recursive: true, force: true }))

async function audienceOf(text: string): Promise<string | null | undefined> {
  writeFileSync(join(SITE, 'docs/a.md'), text)
  const files = await listSiteFiles(SITE, EDITIONS)
  return files.find(({ name }) => name === 'docs/a.md')?.audience
}

it.each([
  ['blanks behind the dashes', '--- \t\naudience: staff\n---\n'],
  ['the name of a language', '---yaml\naudience: staff\n---\n'],
  ['another language', '--- json\n{ "audience": "staff" }\n---\n'],
  ['a mark of byte order', '\uFEFF---\r\naudience: staff\r\n---\r\n'],
  ['quotes', '---\n"audience": \'staff\'\n---\n'],
  ['braces', '---\n{ title: A, audience: staff }\n---\n'],
  ['no end', '---\naudience: staff\n'],
])('reads the audience as Docusaurus does, with %s', async (_, text) => {
  expect(await audienceOf(text)).toBe('staff')
})

it('takes a line of dashes for what it is', async () => {
  expect(await audienceOf('----\naudience: staff\n---\n')).toBeNull()
})

it.each([
  ['code', '---js\n{ audience: "staff" }\n---\n', 'docs/a.md:1: write the front matter in YAML'],
  ['no language', '--- 当番\n', 'docs/a.md:1: write the front matter in YAML'],
  ['an audience that is none', '---\ntitle: A\naudience: stuff\n---\n', 'docs/a.md:3: no edition has'],
  ['an audience without a name', '---\naudience:\n---\n', 'docs/a.md:2: no edition has'],
])('refuses %s rather than show the page to everybody', async (_, text, said) => {
  await expect(audienceOf(text)).rejects.toThrow(said)
})

it('runs nothing that a page says, with the secrets that this command has', async () => {
  await expect(audienceOf('---js\n(globalThis.wasRun = true, {})\n---\n')).rejects.toThrow()
  expect(globalThis).not.toHaveProperty('wasRun')
})
