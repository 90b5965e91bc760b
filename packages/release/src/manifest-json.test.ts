import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { ReleaseError } from './errors.ts'
import type { Edition, ManifestContent, ReleaseFile } from './manifest.ts'
import { readManifest, readManifestInTurns, writeManifest } from './manifest-json.ts'

const SHA = 'ab'.repeat(32)
const PAGE: ReleaseFile = {
  sha256: SHA,
  bytes: 10,
  type: 'text/html; charset=utf-8',
  delivery: 'page',
  cache: 'no-store',
  encodings: { br: { sha256: SHA, bytes: 5 } },
  title: '手引き',
  page: { lang: 'ja', owner: 'SRE', acknowledge: { audience: 'all', due: '2026-12-31', again: 'each' } },
  scriptHashes: ["'sha256-k0vpjn7e5IzKnvxlrWZun3ID2HBge+7Mm0XU+5GDUh4='"],
}
const EDITION: Edition = {
  name: 'default',
  audiences: [],
  files: new Map([
    ['/404.html', PAGE],
    ['/docs/環境', PAGE],
  ]),
  redirects: new Map([['/docs', '/docs/環境#始め']]),
  notFound: '/404.html',
  search: { sha256: SHA, bytes: 7, name: `files/${SHA}` },
}
const SITE = {
  title: 'Sekisho',
  tagline: '技術ドキュメントポータル',
  lang: 'ja',
  locales: { '/en/': 'en-GB' },
}
const SOURCE = { commit: 'ab'.repeat(20), author: '山田', subject: '手順を直す' }
const CONTENT: ManifestContent = { site: SITE, source: SOURCE, editions: [EDITION] }

const idOf = (bytes: Uint8Array) => `20250401T093005Z-${hash('sha256', bytes).slice(0, 8)}`

it('reads back what it wrote, and writes the same bytes for the same content in any order', () => {
  const bytes = writeManifest(CONTENT)
  const manifest = readManifest(bytes, idOf(bytes))
  expect(manifest).toEqual({ ...CONTENT, id: idOf(bytes), createdAt: '2025-04-01T09:30:05Z' })
  const reversed = { ...EDITION, files: new Map([...EDITION.files].reverse()) }
  expect(writeManifest({ ...CONTENT, editions: [reversed] })).toEqual(bytes)
})

it('keeps several editions apart and in order', () => {
  const labels = new Map([['staff', '社員']])
  const staff = { ...EDITION, name: 'staff', audiences: ['staff', 'partners'], labels, search: null }
  const bytes = writeManifest({ site: SITE, editions: [staff, EDITION] })
  expect(readManifest(bytes, idOf(bytes)).editions).toEqual([staff, EDITION])
})

it('writes and holds once what an earlier edition has at the same path, and only that', () => {
  const staff = { ...EDITION, name: 'staff', audiences: ['staff'] }
  const files = new Map([...EDITION.files, ['/docs/環境', { ...PAGE, partOf: ['/docs/'] }] as const])
  const bytes = writeManifest({ site: SITE, editions: [staff, { ...EDITION, files }] })
  const json = JSON.parse(Buffer.from(bytes).toString('utf8'))
  expect(json.editions[1].files['/404.html']).toBe('staff')
  const [first, second] = readManifest(bytes, idOf(bytes)).editions
  expect([first, second]).toEqual([staff, { ...EDITION, files }])
  expect(second?.files.get('/404.html')).toBe(first?.files.get('/404.html'))
})

type Json = Record<string, unknown>

/** Alters the JSON of a good manifest, giving it the id its new bytes ask for: only the fields are wrong. */
function problemOf(alter: (json: Json, edition: Record<string, Json>) => unknown): string {
  const json = JSON.parse(Buffer.from(writeManifest(CONTENT)).toString('utf8'))
  const altered = alter(json, json.editions[0]) ?? json
  const bytes = Buffer.from(JSON.stringify(altered))
  try {
    readManifest(bytes, idOf(bytes))
    return 'nothing'
  } catch (error) {
    expect(error).toBeInstanceOf(ReleaseError)
    return String(error)
  }
}

const withLocales = (json: Json, locales: Json) => ({ ...json, site: { ...SITE, locales } })
const withFile = (change: Json) => (_json: Json, edition: Record<string, Json>) => {
  Object.assign(edition.files ?? {}, { '/docs/環境': { ...PAGE, ...change } })
}
const withPath = (path: string) => (_json: Json, edition: Record<string, Json>) => {
  Object.assign(edition.files ?? {}, { [path]: PAGE })
}
const withEdition = (change: Json) => (_json: Json, edition: Record<string, Json>) => {
  Object.assign(edition, change)
}

it.each<[what: string, alter: Parameters<typeof problemOf>[0], said: string]>([
  ['no object', () => [], 'must be an object'],
  ['the format before', (json) => ({ ...json, format: 1 }), 'format: must be 2'],
  ['another format', (json) => ({ ...json, format: 3 }), 'format: must be 2'],
  ['no edition', (json) => ({ ...json, editions: [] }), 'must name one at least'],
  [
    'an edition twice',
    (json, edition) => ({ ...json, editions: [edition, edition] }),
    'must not name one twice',
  ],
  ['a file of no edition', withEdition({ files: { '/404.html': 'staff' } }), 'names no earlier edition'],
  [
    'a file of a later edition',
    (json, edition) => {
      const later = { ...edition, name: 'later' }
      return { ...json, editions: [{ ...edition, files: { '/404.html': 'later' } }, later] }
    },
    'names no earlier edition',
  ],
  ['a file of itself', withEdition({ files: { '/404.html': 'default' } }), 'names no earlier edition'],
  ['an edition without a name', withEdition({ name: '' }), 'lower-case letters'],
  ['an audience that is a path', withEdition({ audiences: ['../staff'] }), 'lower-case letters'],
  ['a label of two lines', withEdition({ labels: { staff: 'a\nb' } }), 'up to 40 characters'],
  ['an unknown key', (json) => ({ ...json, extra: true }), 'unknown key "extra"'],
  ['no site', (json) => ({ ...json, site: null }), 'site: must be an object'],
  ['a locale without a slash', (json) => withLocales(json, { en: 'en' }), 'begins and ends with a slash'],
  ['a locale of no language', (json) => withLocales(json, { '/en/': '<en>' }), 'must be a language tag'],
  ['an unknown key of a file', withFile({ path: '/etc/passwd' }), 'unknown key "path"'],
  ['a file name as hash', withFile({ sha256: '../../etc/passwd' }), 'SHA-256 in lower-case hex'],
  ['a negative length', withFile({ bytes: -1 }), 'whole number'],
  ['a type that adds a header', withFile({ type: 'text/html\r\nSet-Cookie: a=b' }), 'must be a content type'],
  ['an unknown delivery', withFile({ delivery: 'run' }), 'must be one of'],
  ['an unknown policy', withFile({ cache: 'public' }), 'must be one of'],
  ['an unknown encoding', withFile({ encodings: { lzma: { sha256: SHA, bytes: 1 } } }), 'unknown key "lzma"'],
  ['a hash that adds a directive', withFile({ scriptHashes: ["'unsafe-inline'"] }), "'sha256-…'"],
  ['an unknown key of a page', withFile({ page: { owners: 'SRE' } }), 'unknown key "owners"'],
  ['an owner of several lines', withFile({ page: { owner: 'a\r\nb' } }), 'one line of text'],
  [
    'a page that nothing replaces',
    withFile({ page: { replacedBy: '/docs/b' } }),
    'is no page of this edition',
  ],
  ['a path without slash', withPath('docs'), 'does not start with a slash'],
  ['a dot segment', withPath('/a/../b'), 'holds a dot segment'],
  ['an empty segment', withPath('/a//b'), 'holds an empty segment'],
  ['a decomposed path', withPath('/か\u3099'), 'not in Unicode NFC'],
  ['a lone surrogate', withPath('/\ud800'), 'invisible, control or undecodable'],
  ['a path of the gate', withPath('/__gate/health'), 'the gate keeps for itself'],
  ['a redirect elsewhere', withEdition({ redirects: { '/a': '//evil.example' } }), 'leads to no file'],
  ['a redirect over a file', withEdition({ redirects: { '/docs/環境': '/docs/環境' } }), 'is also a file'],
  ['no 404 page', withEdition({ notFound: '/nothing' }), 'must name a page'],
  ['a search index without hash', withEdition({ search: { bytes: 1 } }), 'SHA-256 in lower-case hex'],
])('refuses a manifest with %s', (_what, alter, said) => {
  expect(problemOf(alter)).toContain(said)
})

it.each(['', 'current', '20250401T093005Z', '20250401T093005Z-ABCDEF12', '../20250401T093005Z-abcdef12'])(
  'does not take %j for a release id',
  (id) => {
    expect(() => readManifest(writeManifest(CONTENT), id)).toThrow('is not a release id')
  },
)

it('refuses bytes that are not those of the id, and reports every problem at once', () => {
  const bytes = writeManifest(CONTENT)
  expect(() => readManifest(bytes, '20250401T093005Z-00000000')).toThrow('not the one that was published')
  const said = problemOf((json, edition) => {
    edition.notFound = Object(3)
    return { ...json, extra: 1, source: { ...SOURCE, commit: 'HEAD' }, site: { ...SITE, lang: 'x y' } }
  })
  expect(said).toContain('unknown key "extra"')
  expect(said).toContain('notFound: must be a string')
  expect(said).toContain('source.commit: must be the id of a commit')
  expect(said).toContain('site.lang: must be a language tag')
})

/** Two editions with tables of several parts. */
const LONG = writeManifest({
  site: SITE,
  editions: ['staff', 'everyone'].map((name) => {
    const files = Array.from(
      { length: 60 },
      (_, at) => [`/docs/{"${at}`, { ...PAGE, title: `${name}\\",` }] as const,
    )
    const last = ['/z', { ...PAGE, title: name.repeat(4_000) }] as const
    return { ...EDITION, name, files: new Map([...EDITION.files, ...files, last]), search: null }
  }),
})

it.each([1, 7, 10_000])('reads a manifest in pieces of %i bytes', async (length) => {
  async function* pieces() {
    for (let at = 0; at < LONG.length; at += length) yield LONG.subarray(at, at + length)
  }
  const { editions } = await readManifestInTurns(pieces(), idOf(LONG))
  const [staff] = JSON.parse(Buffer.from(LONG).toString()).editions
  expect(Object.keys(staff.files)).toEqual([...(editions[0]?.files.keys() ?? [])])
  expect(isDeepStrictEqual(staff.files, Object.fromEntries(editions[0]?.files ?? []))).toBe(true)
  expect(editions[1]?.files.get('/z')?.title).toMatch(/^everyone/)
})

it('holds once what another release has, too, and nothing that differs', async () => {
  const like = readManifest(LONG, idOf(LONG))
  const files = new Map([...(like.editions[0]?.files ?? []), ['/z', { ...PAGE, title: '別' }] as const])
  const bytes = writeManifest({ ...like, editions: [{ ...EDITION, name: 'staff', files }] })
  const read = await readManifestInTurns(bytes, idOf(bytes), like)
  const [now, then] = [read, like].map(({ editions }) => editions[0]?.files)
  expect(now?.get('/404.html')).toBe(then?.get('/404.html'))
  expect(now?.get('/z')?.title).toBe('別')
})

it.each([
  ['a comma behind the last file', /\}\}\}\]\}\n$/, '},}}]}'],
  ['two files without a comma', /,("\/docs\/\{\\"9)/, '$1'],
  ['a second table of files', /\}\}\}\]\}\n$/, '}},"files":{"/404.html":{}}}]}'],
  ['a second list of editions', /\}\n$/, ',"editions":[{}]}'],
  ['editions under a second key', /\}\n$/, ',"edition\\u0073":[{"name":"x"}]}'],
  ['text behind its end', /\n$/, '{}'],
  ['no end', /\]\}\n$/, ''],
  ['300,000 lists before its editions, each looked at once', /^\{/, `{${'"a":[],'.repeat(300_000)}`],
  ['a key too far from its table', /"files":/, `"files":${' '.repeat(40)}`],
])('refuses a manifest with %s', (_what, pattern, replacement) => {
  const text = Buffer.from(LONG).toString()
  const bytes = Buffer.from(text.replace(pattern, replacement))
  expect(bytes).not.toEqual(Buffer.from(LONG))
  expect(() => readManifest(bytes, idOf(bytes))).toThrow(ReleaseError)
})
