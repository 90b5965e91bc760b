import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runSynonyms } from './synonyms.ts'

let site = ''
let file = ''

beforeEach(async () => {
  site = await mkdtemp(join(tmpdir(), 'sekisho-synonyms-'))
  file = join(site, 'sekisho.search.json')
  await mkdir(join(site, 'docs'))
  await writeFile(join(site, 'docusaurus.config.ts'), 'export default {}')
})

async function run(...args: string[]) {
  const lines: string[] = []
  const io = {
    env: { LANG: 'ja_JP.UTF-8' },
    cwd: join(site, 'docs'),
    clock: Date.now,
    print: (line: string) => lines.push(line),
    complain: (line: string) => lines.push(line),
  }
  return { exitCode: await runSynonyms(args, io), text: lines.join('\n') }
}
const groups = async () => JSON.parse(await readFile(file, 'utf8')).synonyms

describe('synonyms', () => {
  it('writes a group beside the config, from anywhere in the site', async () => {
    expect(await run('メアド', 'メールアドレス')).toMatchObject({ exitCode: 0 })
    expect(await groups()).toEqual([['メアド', 'メールアドレス']])
    expect((await run()).text).toBe('メアド  メールアドレス')
  })

  it('joins groups that share a word, and says when nothing is new', async () => {
    await run('メアド', 'メールアドレス')
    await run('宛先', '送り先')
    await run('メールアドレス', '宛先')
    expect(await groups()).toEqual([['メアド', 'メールアドレス', '宛先', '送り先']])
    expect((await run('送り先', 'メアド')).text).toContain('すでにある')
  })

  it('keeps the words that the file has besides', async () => {
    await writeFile(file, JSON.stringify({ words: [{ name: '関所', reading: 'せきしょ' }] }))
    await run('門', '関所')
    expect(JSON.parse(await readFile(file, 'utf8')).words).toEqual([{ name: '関所', reading: 'せきしょ' }])
  })

  it.each([
    ['one word', ['メアド'], 2, '2 つ以上'],
    ['a word that is too long', ['あ'.repeat(41), 'い'], 1, '40'],
    ['a word twice', ['い', ' い'], 1, '2 語から 20 語'],
  ])('refuses %s and writes nothing', async (_, words, exitCode, says) => {
    const outcome = await run(...words)
    expect(outcome.exitCode).toBe(exitCode)
    expect(outcome.text).toContain(says)
    await expect(groups()).rejects.toThrow('ENOENT')
  })

  it.each([
    ['no JSON', '{'],
    ['another shape', '{"synonyms":["a"]}'],
  ])('names a file that is %s, and leaves it', async (_, text) => {
    await writeFile(file, text)
    const { exitCode, text: said } = await run('a', 'b')
    expect([exitCode, await readFile(file, 'utf8')]).toEqual([1, text])
    expect(said).toContain('sekisho.search.json')
  })
})
