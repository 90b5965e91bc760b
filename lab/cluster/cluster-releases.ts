import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  loadManifest,
  openReleaseStore,
  publishRelease,
  type ReleaseStore,
  releasesDirOf,
  type StorePlace,
} from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { writeFiles } from '@sekisho/release/testing'

/** Sentence of every page and script, which no response without a session may contain. */
export const SECRET_SENTENCE = '三台の関所は同じ帳面を読み、同じ手形を認める。'
export const SCRIPT = '/assets/js/main.0a1b2c3d.js'

/** Releases of one site, the first of which is published, and the store that the gates follow. */
export interface ClusterReleases {
  /** Environment that names the store to gates and commands. */
  readonly env: Readonly<Record<string, string>>
  readonly store: ReleaseStore
  /** Folder in which all of them were packed. */
  readonly dataDir: string
  /** Site of the last one, as everybody has it. */
  readonly buildDir: string
  /** In the order of their making. */
  readonly ids: readonly string[]
  readonly pages: readonly string[]
  /** SHA-256 of the file at a path; undefined where the release has none. */
  hashOf(id: string, path: string): string | undefined
}

/** A shared folder, or a bucket. */
export interface ClusterStore {
  readonly place: StorePlace
  readonly env: Readonly<Record<string, string>>
}

interface MakeReleasesOptions {
  readonly store: ClusterStore
  /** Pages of each. */
  readonly pages: number
  /** Texts of the releases; each changes every eighth page. */
  readonly texts: readonly string[]
  /** A page that only an edition has, for the group `staff`. */
  readonly staffPage?: string
  /** Packer of another installation. */
  readonly pack?: typeof packRelease
  /** Of a file that is another one in every release, and does not compress. */
  readonly largeBytes: number
}

/** Makes them, and publishes the first. */
export async function makeReleases(folder: string, options: MakeReleasesOptions): Promise<ClusterReleases> {
  const dataDir = join(folder, 'builder')
  const buildDir = join(folder, 'build')
  const pages = ['/', ...Array.from({ length: options.pages }, (_, index) => `/docs/page-${index + 1}`)]
  const store = openReleaseStore(options.store.place)
  const ids: string[] = []
  const hashes = new Map<string, ReadonlyMap<string, string>>()
  let clockMs = Date.now() - (options.texts.length + 1) * 60_000
  for (const text of options.texts) {
    await writeSite(buildDir, pages, text)
    if (options.largeBytes > 0) await writeFile(join(buildDir, 'large.bin'), randomBytes(options.largeBytes))
    clockMs += 60_000
    const { staffPage } = options
    const clock = () => clockMs
    if (staffPage !== undefined) await writeSite(`${buildDir}-staff`, [...pages, staffPage], text)
    const everyone = { name: 'everyone', audiences: [], buildDir }
    const staff = { name: 'staff', audiences: ['staff'], buildDir: `${buildDir}-staff` }
    const builds = staffPage === undefined ? { buildDir } : { editions: [staff, everyone] }
    const { id } = await (options.pack ?? packRelease)({ ...builds, dataDir, clock })
    const [edition] = (await loadManifest(releasesDirOf(dataDir), id)).editions
    hashes.set(id, new Map([...(edition?.files ?? [])].map(([path, { sha256 }]) => [path, sha256])))
    ids.push(id)
  }
  const releases = {
    ...{ env: options.store.env, store, dataDir, buildDir, ids, pages },
    hashOf: (id: string, path: string) => hashes.get(id)?.get(path),
  }
  await publishDirectly(releases, 0)
  return releases
}

/** Publishes one of them as `sekisho build` does, past the gates. */
export async function publishDirectly({ dataDir, ids, store }: ClusterReleases, index: number) {
  const from = await store.readPointer()
  await publishRelease({ releasesDir: releasesDirOf(dataDir), id: idAt(ids, index), from }, store)
}

export function idAt(ids: readonly string[], index: number): string {
  const id = ids[index]
  if (id === undefined) throw new RangeError(`there is no release ${index}`)
  return id
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
  writeFiles(buildDir, files)
}
