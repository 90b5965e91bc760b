import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { readEditionsText } from './read-editions.ts'
import { listSiteFiles } from './site-files.ts'

/** Inside the repository, so that the site finds Docusaurus; ignored by Git. */
const SITE = fileURLToPath(new URL('../../../.cache/test-sites/audiences', import.meta.url))
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
  [
    'an acknowledgement beside it',
    '---\nacknowledge:\n  audience: all\n  due: 2026-12-31\naudience: staff\n---\n',
  ],
])('reads the audience as Docusaurus does, with %s', async (_, text) => {
  expect(await audienceOf(text)).toBe('staff')
})

it.each([
  ['a capital', '---\nAudience: staff\n---\n', 2],
  ['a plural', '---\ntitle: A\naudiences: staff\n---\n', 3],
  ['a slip', '---\naudeince: staff\n---\n', 2],
  ['two letters less', '---\naudince: staff\n---\n', 2],
  ['full-width letters', '---\nａｕｄｉｅｎｃｅ: staff\n---\n', 2],
  ['a Cyrillic letter', '---\n\u0430udience: staff\n---\n', 2],
  ['a zero-width space in the key', '---\naudi\u200bence: staff\n---\n', 2],
  ['a soft hyphen in the key', '---\naudi\u00adence: staff\n---\n', 2],
  ['a zero-width space in the value', '---\naudience: staff\u200b\n---\n', 2],
  ['a no-break space behind the colon', '---\naudience:\u00a0staff\n---\n', 1],
  ['a no-break space behind the colon, below another key', '---\ntitle: A\naudience:\u00a0staff\n---\n', 1],
  ['no blank behind the colon', '---\naudience:staff\n---\n', 1],
  ['a full-width colon', '---\ntitle: A\naudience： staff\n---\n', 1],
  ['Japanese', '---\n対象読者: staff\n---\n', 2],
  ['another key above', '---\nsidebar_custom_props:\n  audience: staff\n---\n', 3],
  ['a list above', '---\nitems:\n  - audience: staff\n---\n', 3],
  ['a prefix', '---\npage_audience: staff\n---\n', 2],
  ['an acknowledgement that is none', '---\nacknowledge:\n  audience: staff\n---\n', 3],
  [
    'a slip beside an acknowledgement',
    '---\nacknowledge:\n  audience: all\n  due: 2026-12-31\naudince: staff\n---\n',
    5,
  ],
  ['two of them', '---\naudience: staff\naudience: staff\n---\n', 1],
  ['two of them in JSON', '---json\n{"audience": "staff",\n"audience": "staff"}\n---\n', 3],
  ['a list of names', '---\naudience: [staff]\n---\n', 2],
  ['a blank line before', '\n---\naudience: staff\n---\n', 2],
  ['a blank before', ' ---\naudience: staff\n---\n', 1],
  ['a comment before', '<!-- x -->\n---\naudience: staff\n---\n', 2],
  ['a mark of byte order and a blank line before', '\uFEFF\r\n---\r\naudience: staff\r\n---\r\n', 2],
  ['two marks of byte order', '\uFEFF\uFEFF---\naudience: staff\n---\n', 1],
  ['a zero-width space before', '\u200b---\naudience: staff\n---\n', 1],
  ['a heading before', '# A\n\n---\naudience: staff\n---\n', 4],
  ['four dashes', '----\naudience: staff\n---\n', 1],
  ['two dashes', '--\naudience: staff\n--\n', 1],
  ['em dashes', '———\naudience: staff\n———\n', 1],
  ['TOML', '+++\naudience = "staff"\n+++\n', 1],
  ['no dashes', 'audience: staff\n\n# A\n', 1],
  ['an export of MDX', "export const audience = 'staff'\n\n# A\n", 1],
  ['no end', '---\naudience: staff\n', 1],
  ['an end that is set in', '---\naudience: staff\n ---\n\n# A\n', 1],
  ['YAML that is none', '---\naudience: staff\ntitle: "A\n---\n', 1],
  ['a block behind many imports', `${'import A from "a"\n'.repeat(70)}---\naudience: staff\n---\n`, 72],
  ['a comment of HTML', '<!-- audience: staff -->\n# A\n', 1],
  ['an export in one line', "export const frontMatter = { title: 'A', audience: 'staff' }\n", 1],
  ['an element of HTML', '<head>\n<meta content="staff" name="audience" />\n</head>\n', 2],
  ['a page wrapped as code', '```markdown\n---\naudience: staff\n---\n# A\n```\n', 3],
  ['letters with marks', '---\náúdíéńćé: staff\n---\n', 2],
  ['small capitals', '---\nᴀᴜᴅɪᴇɴᴄᴇ: staff\n---\n', 2],
  ['letters in squares', '---\n🅰🆄🅳🅸🅴🅽🅲🅴: staff\n---\n', 2],
  ['another word', '---\ntitle: A\nvisibility: staff\n---\n', 3],
  ['another word with a list', '---\ngroups:\n  - staff\n---\n', 2],
  ['a department', '---\n部署: staff\n---\n', 2],
  ['a preposition', '---\nfor: [staff]\n---\n', 2],
  ['another word in Japanese', '---\n公開グループ: staff\n---\n', 2],
  ['UTF-16', Buffer.from('---\naudience: staff\n---\n', 'utf16le').toString('latin1'), 1],
])('refuses an audience that would be overlooked: %s', async (_, text, line) => {
  await expect(audienceOf(text)).rejects.toThrow(`docs/a.md:${line}: `)
})

it.each([
  ['prose that begins with the word', '# A\n\nAudience: people who deploy\n'],
  ['a rule of dashes', '---\n\n# A\n\n---\n'],
  ['an example', '# A\n\n```yaml\naudience: staff\n```\n'],
  ['a comment in YAML', '---\ntitle: A\n# audience: staff\n---\n'],
  ['an acknowledgement', '---\nacknowledge:\n  audience: staff\n  due: 2026-12-31\ntitle: A\n---\n'],
  ['an acknowledgement in braces', '---\nacknowledge: { audience: staff, due: 2026-12-31 }\n---\n'],
  ['another word with another value', '---\naccess: badge\ngroups: [staff, sales]\n---\n'],
  ['keys of Docusaurus', '---\nid: a\ntitle: A\nsidebar_label: A\ntags: [audio]\nauthors: [sato]\n---\n'],
])('takes no offence at %s', async (_, text) => {
  expect(await audienceOf(text)).toBeNull()
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

it('refuses an audience that a folder’s metadata says, which restricts no page', async () => {
  writeFileSync(join(SITE, 'docs/_category_.yml'), 'label: A\naudience: staff\n')
  await expect(audienceOf('# A\n')).rejects.toThrow('docs/_category_.yml:2: ')
})
