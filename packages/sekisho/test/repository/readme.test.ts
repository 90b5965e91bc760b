import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8')

/** The outline of a README that both languages share: sections, table sizes, commands, links. */
function outlineOf(text: string) {
  const code = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language, block = '']) =>
    language === 'sh' ? block.split('\n').map((line) => line.split(/ {2,}#| +#/)[0]?.trim()) : block,
  )
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  const links = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  return {
    sections: [...prose.matchAll(/^(#+) /gm)].map(([, marks]) => marks),
    columns: [...prose.matchAll(/^\|.*\|$/gm)].map(([row]) => row.split('|').length),
    code,
    commands: [...prose.matchAll(/`(?:sekisho|npm|npx|claude) [^`]+`/g)].map(([span]) => span).sort(),
    links: links
      .map((link) =>
        link
          .replace('.ja.md', '.md')
          .replace('images/ja/', 'images/en/')
          .replace('/english/operating', '/index')
          .replace('/english/', '/'),
      )
      .sort(),
  }
}

it('says the same in Japanese and English', () => {
  const english = outlineOf(read('README.md'))
  expect(outlineOf(read('README.ja.md'))).toEqual(english)
  expect(english.sections.length).toBeGreaterThan(8)
})

it('says the same in both languages to those who choose', () => {
  const tour = outlineOf(read('docs/tour.ja.md').replace('(tour.md)', '(tour.ja.md)'))
  expect(tour).toEqual(outlineOf(read('docs/tour.md')))
  const [japanese, english] = ['', 'english/'].map((folder) =>
    outlineOf(read(`site/docs/sekisho-pro/${folder}choosing.md`)),
  )
  expect(japanese).toEqual(english)
})

it('keeps SECURITY.md on one page with one reporting address', () => {
  const text = read('SECURITY.md')
  expect(Buffer.byteLength(text)).toBeLessThan(3_000)
  const [address] = /https:\/\/\S+?\/security\/advisories\/new/.exec(text) ?? []
  expect(read('.github/ISSUE_TEMPLATE/config.yml')).toContain(`url: ${address}\n`)
})

it.each(globSync('.github/workflows/*.yml', { cwd: ROOT }))(
  '%s has no rights by default and pins actions',
  (file) => {
    const workflow = parse(read(file))
    expect(workflow.permissions).toEqual({})
    const jobs: { permissions?: object; steps: { uses?: string }[] }[] = Object.values(workflow.jobs)
    expect(jobs.every(({ permissions }) => permissions !== undefined)).toBe(true)
    const used = jobs.flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
    expect(used.filter((action) => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/.test(action))).toEqual([])
  },
)
