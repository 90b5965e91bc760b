import { existsSync } from 'node:fs'
import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { decodeOrSame, encodePath, equivalentPath } from '@sekisho/contract/canonical-path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { type Edition, type Manifest, type ReleaseStore, readManifest, splitTarget } from '@sekisho/release'
import { attribute, elements, findElement, hasClass } from '@sekisho/search/html'
import { textHashOf } from '@sekisho/server/acknowledgements'
import { type AuditSource, OPERATOR_CHAIN } from '@sekisho/server/audit'
import { parse } from 'parse5'
import { type CommandIo, readDataFolder } from '../../command.ts'
import { dayOf, plain, sayTo } from '../../language.ts'
import { readDatabase, withStores } from '../../open-state.ts'
import { openPublishingStore, readBlob, readServedManifest } from '../../release-store.ts'
import { TEXTS } from '../../texts/index.ts'
import { readLines } from '../access/trail-facts.ts'

const messageOf = createMessages(TEXTS, 'check')

/** Addresses elsewhere that are asked for in one check, in all and at once. */
const MAX_ASKED = 2_000
const AT_ONCE = 8
const TIMEOUT_MS = 10_000
const MAX_BYTES = 4e6
/** Addresses that a line of the trail holds, and characters of one. */
const MAX_NOTED = 100
const MAX_CHARS = 500
const HOST = 'https://portal.invalid'
/** Hosts that are reserved for examples (RFC 2606, RFC 6761). */
const EXAMPLE = /(?:^|\.)(?:example(?:\..+)?|localhost|test|invalid)$/

/** Links of a page's main part, and the ids of the page; those of headings in their order. */
interface PageLinks {
  readonly links: readonly string[]
  readonly ids: ReadonlySet<string>
  readonly headings: readonly string[]
}

interface BrokenLink {
  readonly path: string
  readonly title: string
  readonly owner: string | null
  /** As an address of the portal, or of another host. */
  readonly target: string
  /** Last day on which the target is known to have been there, or first day on which it was not; null where neither is known. */
  until: string | null
  since: string | null
  /** Present address of the target. */
  now: string | null
}

interface LinksOptions {
  readonly dataDir: string | undefined
  readonly json: boolean
}

/**
 * Lists links of the served release's pages that lead nowhere, by owner: to pages and headings, with what earlier releases know of them, and to
 * other hosts, with the day of the first check that found them so. Resolves to exit code 1 for any.
 */
export async function checkLinks(
  { dataDir, json }: LinksOptions,
  io: CommandIo,
  send: typeof fetch = fetch,
): Promise<number> {
  const folder = readDataFolder(dataDir, io)
  const { store } = openPublishingStore(folder, io)
  const manifest = await readServedManifest(folder, io)
  const { broken, elsewhere } = await findBroken(manifest, store)
  await readEarlierReleases(broken, manifest, store)
  const asked = [...elsewhere.keys()].slice(0, MAX_ASKED)
  const found = await findDead(asked, send)
  const dead = found ?? []
  broken.push(...dead.flatMap((target) => elsewhere.get(target) ?? []))
  const databaseUrl = dataDir === undefined ? readDatabase(io) : null
  if (found !== null && (databaseUrl !== null || existsSync(folder.sessions)))
    await withStores({ databaseUrl, folder }, io, async ({ audit }, record) => {
      const days = await firstDays(audit)
      for (const one of broken) one.since ??= days.get(one.target) ?? null
      const noted = dead.filter(({ length }) => length <= MAX_CHARS).slice(0, MAX_NOTED)
      await record('links_checked', {
        release: manifest.id,
        broken: broken.length,
        elsewhere: noted.join(' '),
      })
    })
  const unasked = elsewhere.size - (found === null ? 0 : asked.length)
  if (json) io.print(JSON.stringify({ ok: broken.length === 0, release: manifest.id, broken, unasked }))
  else print(broken, elsewhere.size - unasked, unasked, io)
  return broken.length === 0 ? 0 : 1
}

function print(broken: readonly BrokenLink[], asked: number, unasked: number, io: CommandIo): void {
  const say = (message: Message) => plain(sayTo(io, message))
  if (broken.length === 0) io.print(say(messageOf('link_none', asked)))
  if (unasked > 0) io.print(say(messageOf('link_unasked', unasked)))
  for (const [owner, own] of Map.groupBy(broken, (one) => one.owner)) {
    io.print(say(messageOf('link_owner', owner ?? '', own.length)))
    for (const { path, title, target, until, since, now } of own)
      io.print(`  ${say(messageOf('link_broken', path, title, target, { until, since, now }))}`)
  }
}

/** Broken links within the release, and the pages that link to each address elsewhere. */
async function findBroken({ id, editions }: Manifest, store: ReleaseStore) {
  const read = createPageReader(store)
  const broken = new Map<string, BrokenLink>()
  const elsewhere = new Map<string, BrokenLink[]>()
  for (const edition of editions)
    for (const [path, file] of edition.files) {
      if (file.delivery !== 'page' || path === edition.notFound || file.page?.status === 'obsolete') continue
      const { title = path, page: { owner = null } = {} } = file
      const note = (target: string) => ({ path, title, owner, target, until: null, since: null, now: null })
      for (const link of (await read(edition, path, id))?.links ?? []) {
        const url = URL.parse(link, HOST + encodePath(path))
        if (url === null || !/^https?:$/.test(url.protocol)) continue
        const target = url.origin === HOST ? url.href.slice(HOST.length) : url.href.replace(/#.*/s, '')
        if (url.origin !== HOST) {
          if (EXAMPLE.test(url.hostname)) continue
          const own = elsewhere.get(target) ?? []
          if (!own.some((one) => one.path === path)) elsewhere.set(target, [...own, note(target)])
        } else if (!target.startsWith('/__gate/') && !(await isThere(edition, target, id, read)))
          broken.set(`${path} ${target}`, note(target))
      }
    }
  return { broken: [...broken.values()], elsewhere }
}

type ReadPage = ReturnType<typeof createPageReader>

/** Reads a page of a release; each text once, as editions and releases share them. Null for what is no page. */
function createPageReader(store: ReleaseStore) {
  const known = new Map<string, PageLinks>()
  return async ({ files }: Edition, path: string, id: string): Promise<PageLinks | null> => {
    const file = files.get(path)
    if (file?.delivery !== 'page') return null
    const links = known.get(file.sha256) ?? readLinks((await readBlob(file, id, store)).toString())
    known.set(file.sha256, links)
    return links
  }
}

function readLinks(html: string): PageLinks {
  const page = parse(html)
  const all = elements(page)
  const main = findElement(page, ({ tagName }) => tagName === 'main') ?? page
  const anchors = elements(main).filter(
    (one) =>
      one.tagName === 'a' && !hasClass(one, 'theme-edit-this-page') && attribute(one, 'rel') !== 'edit',
  )
  const idsOf = (found: typeof all) =>
    found.flatMap((one) => ['id', 'name'].flatMap((name) => attribute(one, name) ?? []))
  return {
    links: [...new Set(anchors.flatMap((one) => attribute(one, 'href') ?? []))],
    ids: new Set(idsOf(all)),
    headings: idsOf(all.filter(({ tagName }) => /^h[1-6]$/.test(tagName))),
  }
}

/** The path of an edition's file behind an address, and the id that its fragment names; null where there is no such file. */
function findTarget({ files, redirects }: Edition, target: string) {
  const path = equivalentPath(HOST + target.replace(/[?#].*/s, ''))
  if (path === null) return null
  const paths = [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]
  const led = paths.flatMap((one) => redirects.get(one) ?? []).map((one) => splitTarget(one).path)
  const found = [...paths, ...led].find((one) => files.has(one))
  const fragment = /#(.+)/s.exec(target)?.[1] ?? ''
  return found === undefined ? null : { path: found, id: decodeOrSame(fragment) }
}

async function isThere(edition: Edition, target: string, id: string, read: ReadPage): Promise<boolean> {
  const found = findTarget(edition, target)
  if (found === null) return false
  const there = found.id === '' || /^(?:top$|:~:)/.test(found.id) ? null : await read(edition, found.path, id)
  return there === null || there.ids.has(found.id)
}

/** Adds what earlier releases know of missing pages and headings, from the newest one on. */
async function readEarlierReleases(
  broken: readonly BrokenLink[],
  served: Manifest,
  store: ReleaseStore,
): Promise<void> {
  const read = createPageReader(store)
  const earlier = (await store.list()).filter(({ id }) => id < served.id)
  for (const { id, createdAtMs } of broken.length === 0 ? [] : earlier) {
    const { editions } = readManifest(await store.readManifest(id), id)
    for (const one of broken.filter(({ until }) => until === null))
      for (const edition of editions) {
        const present = served.editions.find(
          ({ name, files }) => name === edition.name && files.has(one.path),
        )
        const found = present === undefined ? null : findTarget(edition, one.target)
        if (present === undefined || found === null || !(await isThere(edition, one.target, id, read)))
          continue
        one.until = dayOf(createdAtMs)
        const isPage = findTarget(present, one.target) === null
        one.now = isPage
          ? movedPage(edition, present, found.path)
          : renamedHeading(
              (await read(edition, found.path, id))?.headings ?? [],
              (await read(present, found.path, served.id))?.headings ?? [],
              found.id,
            )
      }
  }
}

/** The one page of an edition that has the text of an earlier page, or else its title. */
function movedPage(earlier: Edition, present: Edition, path: string): string | null {
  const file = earlier.files.get(path)
  if (file === undefined) return null
  const pages = [...present.files].filter(([, { delivery }]) => delivery === 'page')
  const text = textHashOf(earlier, file)
  const alike = [
    pages.filter(([, one]) => textHashOf(present, one) === text),
    pages.filter(([, one]) => one.title === file.title),
  ]
  const [only] = alike.find((found) => found.length === 1) ?? []
  return only === undefined ? null : encodePath(only[0])
}

/** The heading that stands where an earlier one stood: between the same ones. */
function renamedHeading(earlier: readonly string[], present: readonly string[], id: string): string | null {
  const at = earlier.indexOf(id)
  const [before, after] = [present.indexOf(earlier[at - 1] ?? ''), present.indexOf(earlier[at + 1] ?? '')]
  const place = before >= 0 ? before + 1 : after - 1
  const isBetween = at >= 0 && (after < 0 || place === after - 1)
  const now = isBetween ? present[place] : undefined
  return now === undefined || earlier.includes(now) ? null : `#${now}`
}

/**
 * Addresses elsewhere that say that there is nothing, or whose host does not exist. A host that is slow, or asks who one is, says neither.
 * Null where no host answers at all, as without a network.
 */
async function findDead(addresses: readonly string[], send: typeof fetch): Promise<readonly string[] | null> {
  let hasAnswered = addresses.length === 0
  const ask = boundFetch(send, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS })
  const isGone = async (address: string, method: 'HEAD' | 'GET'): Promise<boolean> => {
    try {
      const { status } = await ask(address, { method })
      hasAnswered = true
      return status === 404 || status === 410
    } catch (error) {
      return Object(Object(error).cause).code === 'ENOTFOUND'
    }
  }
  const waiting = addresses.values()
  const dead = new Set<string>()
  const work = async () => {
    for (const address of waiting)
      if ((await isGone(address, 'HEAD')) && (await isGone(address, 'GET'))) dead.add(address)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return hasAnswered ? addresses.filter((address) => dead.has(address)) : null
}

/** Addresses that the last check found gone, with the day of the first of the checks before it that did without a break. */
async function firstDays(source: AuditSource): Promise<ReadonlyMap<string, string>> {
  let days = new Map<string, string>()
  for await (const read of readLines(source, OPERATOR_CHAIN)) {
    if (read?.line.act !== 'links_checked') continue
    const found = String(read.line.elsewhere).split(' ')
    days = new Map(found.map((address) => [address, days.get(address) ?? dayOf(read.atMs)]))
  }
  return days
}
