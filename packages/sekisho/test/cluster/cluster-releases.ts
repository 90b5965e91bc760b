import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadManifest, openReleaseStore, publishRelease, releasesDirOf } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'

/** In every page and script; never in an answer to anybody without a session. */
export const SECRET_SENTENCE = '三台の関所は同じ帳面を読み、同じ手形を認める。'
export const SCRIPT = '/assets/js/main.0a1b2c3d.js'

/** Two releases of one site, and the store that the gates follow. */
export interface ClusterReleases {
  readonly storeDir: string
  readonly ids: readonly [first: string, second: string]
  readonly pages: readonly string[]
  /** SHA-256 of the file at a path; undefined where the release has none. */
  hashOf(id: string, path: string): string | undefined
  /** Makes the second release the one that is served. */
  publishSecond(): Promise<void>
}

/** Makes both, and publishes the first. The second changes every eighth page. */
export async function makeReleases(folder: string, count: number): Promise<ClusterReleases> {
  const dataDir = join(folder, 'builder')
  const buildDir = join(folder, 'build')
  const storeDir = join(folder, 'releases')
  const pages = ['/', ...Array.from({ length: count }, (_, index) => `/docs/page-${index + 1}`)]
  const store = openReleaseStore({ folder: storeDir })
  let clockMs = Date.now() - 120_000
  const pack = async (text: string) => {
    await writeSite(buildDir, pages, text)
    clockMs += 60_000
    const { id } = await packRelease({ buildDir, dataDir, clock: () => clockMs })
    return id
  }
  const publish = async (id: string) => {
    const from = await store.readPointer()
    await publishRelease({ releasesDir: releasesDirOf(dataDir), id, from }, store)
  }
  const first = await pack('初版')
  await publish(first)
  const second = await pack('第二版')
  const hashes = new Map<string, ReadonlyMap<string, string>>()
  for (const id of [first, second]) {
    const [edition] = (await loadManifest(releasesDirOf(dataDir), id)).editions
    hashes.set(id, new Map([...(edition?.files ?? [])].map(([path, { sha256 }]) => [path, sha256])))
  }
  return {
    storeDir,
    ids: [first, second],
    pages,
    hashOf: (id, path) => hashes.get(id)?.get(path),
    publishSecond: () => publish(second),
  }
}

async function writeSite(buildDir: string, pages: readonly string[], text: string): Promise<void> {
  const fileOf = (path: string) => join(path.slice(1), 'index.html')
  const html = (title: string, text: string) =>
    `<!doctype html><html lang="ja"><head><meta charset="utf-8"><title>${title} | Sekisho</title></head>` +
    `<body><main><h1>${title}</h1><p>${text}</p><p>${SECRET_SENTENCE.repeat(40)}</p></main></body></html>`
  const files: Record<string, string> = {
    '404.html': html('見つかりません', ''),
    [SCRIPT.slice(1)]: `console.log(${JSON.stringify(SECRET_SENTENCE)})`,
  }
  for (const [index, path] of pages.entries()) {
    const isChanged = index % 8 === 0
    files[fileOf(path)] = html(path, isChanged ? text : '')
  }
  files['__sekisho/site.json'] = JSON.stringify({
    format: 1,
    title: 'Sekisho',
    tagline: '技術ドキュメントポータル',
    lang: 'ja',
    baseUrl: '/',
    pages: pages.map((path) => ({ path, file: fileOf(path), title: `${path} | Sekisho` })),
    redirects: [],
    notFound: '404.html',
  })
  for (const [name, contents] of Object.entries(files)) {
    await mkdir(dirname(join(buildDir, name)), { recursive: true })
    await writeFile(join(buildDir, name), contents)
  }
}
