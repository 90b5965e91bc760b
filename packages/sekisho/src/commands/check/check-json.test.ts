import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { runCheck } from './check.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-check-json-SECRET-01-'))
})

async function check(args: readonly string[], env: Readonly<Record<string, string>>) {
  const printed: string[] = []
  const complained: string[] = []
  const code = await runCheck(args, {
    ...{ env, cwd: folder, clock: Date.now },
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
  })
  return { code, printed, complained }
}

/** Twelve, each in a place of its own: files, settings, addresses with credentials, names, and the environment of others. */
function plantSecrets(): Readonly<Record<string, string>> {
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  mkdirSync(join(folder, 'node_modules/@docusaurus/core'), { recursive: true })
  file('docusaurus.config.js', 'export default { title: "SECRET-02" }')
  file('node_modules/@docusaurus/core/package.json', '{ "version": "3.0.0-SECRET-03" }')
  file('sekisho.env', 'SEKISHO_TITLE=SECRET-04\nSEKISHO_SECRET_04_IN_A_NAME=1\n')
  return {
    SEKISHO_ORIGIN: 'https://user:SECRET-05@docs.example.co.jp',
    SEKISHO_SECRET: 'SECRET-06',
    SEKISHO_DATABASE_URL: 'postgres://gate:SECRET-07@db.example.co.jp/sekisho?password=SECRET-07',
    SEKISHO_OIDC_ISSUER: 'https://id:SECRET-08@login.example.co.jp',
    SEKISHO_OIDC_CLIENT_SECRET_FILE: file('SECRET-09', 'SECRET-09'),
    SEKISHO_POLICY_FILE: file('policy.json', '{ "SECRET-10": ["SECRET-10@example.co.jp"] }'),
    SEKISHO_RELEASES: 's3://SECRET-11/x?endpoint=http://SECRET-11',
    AWS_SECRET_ACCESS_KEY: 'SECRET-11',
    SEKISHO_PORT: 'SECRET-12',
    SEKISHO_IDENTITY: 'oidc',
    GITHUB_TOKEN: 'SECRET-12',
    SEKISHO_LANG: 'SECRET-12',
  }
}

it('prints no value, path or address, whatever is wrong', async () => {
  const { code, printed, complained } = await check(['--json', '--offline'], plantSecrets())
  expect([code, printed.length, complained]).toEqual([1, 1, []])
  expect(printed[0]).not.toMatch(/SECRET-\d|SECRET_04|example|user|gate:|\//)
  const report = JSON.parse(printed[0] ?? '')
  expect(Object.keys(report)).toEqual([
    ...['ok', 'problems', 'sekisho', 'node', 'platform', 'docusaurus', 'release', 'port', 'settings'],
  ])
  expect(report).toMatchObject({ ok: false, docusaurus: 'unknown', release: null, port: null })
  expect(report.problems).toContain('gate.bad_origin')
  expect(report.settings).toContain('SEKISHO_DATABASE_URL')
})

it('says to a newcomer what is there and what to do next', async () => {
  const outside = await check(['--offline'], { SEKISHO_LANG: 'en' })
  expect(outside.printed.join('\n')).toMatch(
    /installed {3}sekisho \d[\s\S]*site +none[\s\S]*port +3000[\s\S]*sekisho demo/,
  )
  writeFileSync(join(folder, 'docusaurus.config.js'), 'export default {}')
  const inside = await check(['--offline'], { SEKISHO_LANG: 'en' })
  expect(inside.printed.at(-1)).toMatch(/sekisho start\.$/)
})
