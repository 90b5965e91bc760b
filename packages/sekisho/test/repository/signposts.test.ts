import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SETTINGS } from '@sekisho/server/settings'
import { describe, expect, it } from 'vitest'
import { settingsPages } from '../../pack/settings-pages.ts'
import { COMMANDS } from '../../src/main.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Files that a document names by their whole path below `packages`; what is in italics is still to be made. */
function namedIn(document: string): readonly string[] {
  const text = readFileSync(`${ROOT}${document}`, 'utf8').replace(/\*[^*\n]*`[^*\n]*\*/g, '')
  const found = text.matchAll(/`([a-z-]+\/(?:src|test|pack)\/[\w./-]*)`/g)
  return [...new Set([...found].map(([, path = '']) => path))]
}

it.each([
  ['CONTRIBUTING.md', 20],
  ['docs/assurance.md', 20],
  ['docs/stability.md', 4],
])('%s names no file that is not there', (document, least) => {
  const named = namedIn(document)
  expect(named.length).toBeGreaterThan(least)
  expect(named.filter((path) => !existsSync(`${ROOT}packages/${path}`))).toEqual([])
})

it('names no folder of packages, anywhere in prose, that is not there', () => {
  const documents = globSync('{*.md,{bench,decisions,docs,lab,packages,site}/**/*.{md,mdx}}', {
    cwd: ROOT,
    exclude: ['**/node_modules', '**/.cache', '**/build', '**/fixtures'],
  })
  const missing = documents.flatMap((document) => {
    const named = readFileSync(`${ROOT}${document}`, 'utf8').matchAll(/`(packages\/[\w./-]+?)\/?`/g)
    return [...named]
      .filter(([, path]) => !existsSync(`${ROOT}${path}`))
      .map(([, path]) => `${document}: ${path}`)
  })
  expect(documents.length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

/** The rows of the table in CONTRIBUTING that says where a change goes. */
function changes(): readonly (readonly [what: string, where: string])[] {
  const text = readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8')
  const [section = ''] = text.split('\n## Where a change goes\n')[1]?.split('\n## ') ?? []
  const rows = [...section.matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(
    ([, what = '', where = '']) => [what, where] as const,
  )
  return rows.filter(([what]) => what !== 'what')
}

/** Paths of a row in code marks, those after the first as they are meant: beside what was named before. */
function pathsOf(where: string): readonly { readonly path: string; readonly isNew: boolean }[] {
  let beside = ''
  return [...where.matchAll(/(\*?)`([\w-]+(?:[/.][\w.-]+)*\/?)`(\*?)/g)].flatMap(
    ([, before, name = '', after]) => {
      if (!/[/.]/.test(name) || name.startsWith('texts/')) return [] // a word of the code, or a file of each room
      const path = /\/(?:src|pack)(?:\/|$)/.test(name) ? name : posix.join(beside, name)
      beside = path.endsWith('/') ? path : posix.dirname(path)
      return [{ path, isNew: before === '*' && after === '*' }]
    },
  )
}

it('says of fourteen changes where they go', () => {
  const named = changes().map(([, where]) => pathsOf(where))
  expect(named).toHaveLength(14)
  expect(named.filter((paths) => paths.length === 0)).toEqual([])
})

it.each(changes())('%s: what is to be changed is there, and what is new is not', (_what, where) => {
  const wrong = pathsOf(where).filter(({ path, isNew }) => existsSync(`${ROOT}packages/${path}`) === isNew)
  expect(wrong).toEqual([])
})

it.each(['README.md', 'README.ja.md', 'packages/server/README.md'])(
  '%s says how long the policy is',
  (document) => {
    const lines = readFileSync(`${ROOT}packages/server/src/policy.ts`, 'utf8').split('\n').length
    const said = /policy\.ts[^\n]*?(?:about|約) (\d+) (?:lines|行)/.exec(
      readFileSync(`${ROOT}${document}`, 'utf8'),
    )?.[1]
    expect(Math.abs(Number(said) - lines)).toBeLessThan(10)
  },
)

it('counts the tables of texts that a third language adds to', () => {
  const tables = globSync('packages/*/src/**/texts/index.ts', { cwd: ROOT })
  const beside = tables.filter((path) => /(?:login|openapi)/.test(path))
  expect([tables.length - beside.length, beside.length]).toEqual([11, 2])
  expect(readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8')).toContain(
    "(eleven, login's and the API pages' beside)",
  )
})

/** A variable of the reader's own CI, and one that a gate refuses to start with. */
const NO_SETTINGS = new Set(['SEKISHO_TO', 'FIREBASE_AUTH_EMULATOR_HOST'])

it.each(globSync('{deploy,site/docs/sekisho-pro,site/docs/operations}/**/*.md', { cwd: ROOT }))(
  '%s names commands, settings and files that are there',
  (document) => {
    const text = readFileSync(`${ROOT}${document}`, 'utf8')
    const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
    const unknown = [
      ...found(/(?<!\/)\bsekisho ([a-z][a-z-]+)/g).filter((command) => !COMMANDS.has(command)),
      ...found(/\b((?:SEKISHO|FIREBASE)_[A-Z_]+[A-Z])\b/g).filter(
        (setting) => !(setting in SETTINGS || NO_SETTINGS.has(setting)),
      ),
      ...found(/\]\(([^):#]+)[^):]*\)/g).filter(
        (path) => !existsSync(posix.join(ROOT, posix.dirname(document), path)),
      ),
    ]
    expect(unknown).toEqual([])
  },
)

it.each(['index.md', 'english/operating.md'])("the handbook's %s explains every command", (page) => {
  const text = readFileSync(`${ROOT}site/docs/sekisho-pro/${page}`, 'utf8')
  const named = [...text.matchAll(/^\| (`[^|]*?) *\|/gm)].map(([, first = '']) => first).join(' ')
  expect([...COMMANDS.keys()].filter((name) => !RegExp(`\`(?:sekisho )?${name}\\b`).test(named))).toEqual([])
})

describe('decisions', () => {
  const pages = globSync('decisions/[0-9]*.md', { cwd: ROOT }).map((page) => basename(page))

  it('are few, and all in the index', () => {
    const index = readFileSync(`${ROOT}decisions/README.md`, 'utf8')
    expect(pages.length).toBeLessThanOrEqual(70)
    expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([])
  })

  it('that are named exist', () => {
    const files = globSync(
      [
        '*.md',
        '{bench,decisions,deploy,docs,e2e,lab,packages,scripts,site}/**/*.{md,mdx,ts,tsx,mjs,css,yaml,service}',
        'deploy/**/Dockerfile',
      ],
      {
        cwd: ROOT,
        exclude: ['**/node_modules/**', '**/.cache/**', '**/dist/**', 'site/build/**', '**/.docusaurus/**'],
      },
    )
    const missing = files.flatMap((file) =>
      [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(/decisions?[/ ](\d{3}(?:-[\w-]+\.md)?)/gi)]
        .map(([, name = '']) => name)
        .filter((name) => !pages.some((page) => page === name || page.startsWith(`${name}-`)))
        .map((name) => `${file}: ${name}`),
    )
    expect(files.length).toBeGreaterThan(500)
    expect(missing).toEqual([])
  })
})

/** One screen; that of the search holds its design. */
const MAX_README_LINES: Readonly<Record<string, number>> = { 'packages/search': 110 }
it.each(globSync('packages/*', { cwd: ROOT }))(
  '%s has a README of one screen that names files of its own',
  (room) => {
    const text = readFileSync(`${ROOT}${room}/README.md`, 'utf8')
    expect(text.split('\n').length).toBeLessThan(MAX_README_LINES[room] ?? 45)
    const named = [...text.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !existsSync(`${ROOT}${room}/${path}`))).toEqual([])
  },
)

it.each([...settingsPages()])(
  '%s is what the table of settings makes; npm run settings writes it',
  (path, text) => {
    expect(readFileSync(`${ROOT}${path}`, 'utf8')).toBe(text)
  },
)

/** Commands that fetch and run whatever has the name at the registry, where nothing is installed. */
const FETCHED =
  /\b(?:npx|npm exec|npm x|pnpm dlx|yarn dlx|bunx)(?! --no(?:-install)? )(?: -\S+)*(?: --)? sekisho\b|\bnpm (?:i|install|add|init|create)(?: -\S+)* sekisho\b/

it('no page and no text runs the package by a name that is not registered', () => {
  const pages = globSync(
    [
      '*.md',
      '{deploy,decisions,scripts}/**/*.{md,yaml,ts,mjs,sh}',
      'site/docs/**/*.{md,mdx}',
      'packages/*/README.md',
      'packages/*/{src,pack}/**/*.{ts,tsx,md}',
      '.github/**/*.{md,yml,yaml}',
    ],
    { cwd: ROOT },
  )
  expect(pages.length).toBeGreaterThan(500)
  expect(pages.filter((page) => FETCHED.test(readFileSync(`${ROOT}${page}`, 'utf8')))).toEqual([])
  expect(FETCHED.test('npx -y sekisho check') && FETCHED.test('npm exec -- sekisho check')).toBe(true)
  expect(FETCHED.test('npx --no-install sekisho check')).toBe(false)
})
