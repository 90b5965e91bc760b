import { readFile } from 'node:fs/promises'
import { boundFetch } from '@sekisho/contract/bounded-fetch'
import type { Grant } from '@sekisho/contract/grants'
import { isPageFile, listBuild, readPage, readStyleSheet } from '@sekisho/release/packing'

const SHEET = /\.css$/i
/** Limit of files to search; the build reports on larger sites. */
const MAX_FILES = 500
/** Resources of each granted host whose redirects are followed, of all of them, and redirects of one. */
const MAX_OF_HOST = 3
const MAX_FOLLOWED = 40
const MAX_HOPS = 5

/** The grants that the pages of a build ask for, with the hosts that their resources redirect to; none where there is no build. */
export async function findGrants(buildDir: string, send: typeof fetch = fetch): Promise<readonly Grant[]> {
  const listed = await listBuild(buildDir).catch(() => null)
  const files = (listed?.files ?? []).filter(({ name }) => isPageFile(name) || SHEET.test(name))
  const refused = await Promise.all(
    files.slice(0, MAX_FILES).map(async ({ name, file }) => {
      const text = await readFile(file, 'utf8')
      return SHEET.test(name) ? readStyleSheet(text) : readPage(text).refused
    }),
  )
  const byHost = Map.groupBy(refused.flat(), ({ what }) => what)
  const asked = [...byHost.values()].flatMap((ofHost) => {
    const addresses = new Map(ofHost.map(({ grant, address }) => [address, grant]))
    return [...addresses].slice(0, MAX_OF_HOST)
  })
  const ask = boundFetch(send, { maxBytes: 65_536, timeoutMs: 3_000 })
  const followed = await Promise.all(
    asked.slice(0, MAX_FOLLOWED).map(([address = '', grant]) => followRedirects(address, grant, ask)),
  )
  return [...refused.flat().flatMap(({ grant }) => grant ?? []), ...followed.flat()]
}

/** Grants for the hosts to which a resource redirects: browsers ask the policy about each. An unreachable one redirects nowhere. */
async function followRedirects(address: string, grant: Grant | null, ask: typeof fetch): Promise<Grant[]> {
  const found: Grant[] = []
  let url = URL.parse(address)
  for (let hop = 0; grant !== null && hop <= MAX_HOPS && /^https?:$/.test(url?.protocol ?? ''); hop += 1) {
    if (url?.protocol === 'https:' && url.origin !== grant.source)
      found.push({ kind: grant.kind, source: url.origin })
    const askBy = (method: string) => ask(url?.href ?? '', { method, redirect: 'manual' }).catch(() => null)
    const head = await askBy('HEAD')
    // Some redirect a GET alone.
    const response = head !== null && head.status >= 400 ? await askBy('GET') : head
    const next = response?.headers.get('location') ?? null
    url = next === null ? null : URL.parse(next, url?.href)
  }
  return found
}
