import { packRelease } from '@sekisho/release/packing'
import { createTestBuild } from '@sekisho/release/testing'
import { expect, it } from 'vitest'
import { agentsMarkdown, runAgentsMd } from './agents-md.ts'

const ORIGIN = new URL('https://docs.example.co.jp')
const SITE = { title: '社内文書', tagline: '手順と規約', lang: 'ja' }

async function run(...args: string[]) {
  await using build = await createTestBuild()
  await packRelease({ buildDir: build.buildDir, dataDir: build.dataDir, clock: Date.now })
  const [out, err]: [string[], string[]] = [[], []]
  const io = {
    ...{ env: { LANG: 'ja_JP.UTF-8' }, cwd: build.root, clock: Date.now },
    ...{ print: (line: string) => out.push(line), complain: (line: string) => err.push(line) },
  }
  const code = await runAgentsMd([...args, '--data-dir', build.dataDir], io)
  return { code, out: out.join('\n'), err: err.join('\n') }
}

it('names the pages, when to ask, and how to connect', async () => {
  const { code, out } = await run('--origin', ORIGIN.href)
  expect(code).toBe(0)
  expect(out).toContain('`claude mcp add --transport http docs https://docs.example.co.jp/mcp`')
  expect(out).toContain('- 手引き (/docs/guide)')
  expect(out).not.toContain('404')
})

it('names what is below a path', async () => {
  const { out } = await run('--origin', ORIGIN.href, '--below', '/docs/base')
  expect(out.match(/^- .*\(\/.*\)$/gm)).toEqual([expect.stringContaining('(/docs/base/)')])
})

it.each([
  [[], 2, 'SEKISHO_ORIGIN'],
  [['--origin', 'docs.example.co.jp'], 2, 'https://'],
  [['--origin', ORIGIN.href, '--below', '/none'], 1, '--below'],
])('%j is told what to change', async (args, code, text) => {
  expect(await run(...args)).toMatchObject({ code, err: expect.stringContaining(text) })
})

it.each([10, 400, 10_000])('%i pages take 8 KB at most', (count) => {
  const pages = Array.from({ length: count }, (_, at) => ({
    path: `/docs/部門-${at % 40}/手順-${at}`,
    title: `手順書 ${at}`,
  }))
  const text = agentsMarkdown(SITE, pages, ORIGIN)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192)
  expect(text).toContain(count === 10 ? '手順書 9' : '/docs/部門-39/ (')
})
