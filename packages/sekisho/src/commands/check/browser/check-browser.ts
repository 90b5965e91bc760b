import { encodePath } from '@sekisho/contract/canonical-path'
import type { Grant } from '@sekisho/contract/grants'
import type { Message } from '@sekisho/contract/language'
import { type OpenedRelease, openRelease } from '@sekisho/verify'
import { describeRefused } from '../../../authoring/build/kept-away.ts'
import { findListed } from '../../../authoring/init/read-site.ts'
import { type CommandIo, complainOf, readDataFolder } from '../../../command.ts'
import { sayTo } from '../../../language.ts'
import { findSiteAround } from '../../../site/find-site.ts'
import { startOwnGate } from '../../verify/own-gate.ts'
import { found } from '../checks/finding.ts'
import { BrowserError, findChromium, openPages } from './open-pages.ts'
import { refusedWhileRunning } from './refused-while-running.ts'
import { startReportingProxy, type Violation } from './reporting-proxy.ts'

interface BrowserCheck {
  readonly dataDir: string | undefined
  /** So many pages at most are opened, evenly spread over the site. */
  readonly maxPages: number
  /** The operator's grants. */
  readonly grants: readonly Grant[]
}

/**
 * Opens pages of the current release in this machine's Chromium, at a separate gate, and prints requests blocked by its content policy.
 * Resolves to the exit code: 0 when none were.
 */
export async function checkInBrowser(
  { dataDir, maxPages, grants }: BrowserCheck,
  io: CommandIo,
): Promise<number> {
  const chromium = findChromium(io.env)
  if (chromium === null) return complain(found('no_browser'), io)
  const { releases } = readDataFolder(dataDir, io)
  const release = await openRelease(releases, null)
  if (release === null) return complain(found('nothing_to_open'), io)
  await using gate = await startOwnGate(releases, release, { loginLanguage: 'ja', grants })
  const violations: Violation[] = []
  await using proxy = await startReportingProxy({
    url: gate.url,
    host: gate.host,
    cookie: gate.reader?.cookie ?? '',
    onViolation: (violation) => violations.push(violation),
  })
  const all = pathsOf(release)
  const pages = spread(all, maxPages)
  let opened = 0
  const urls = pages.map((path) => new URL(encodePath(path), proxy.url))
  try {
    await openPages(chromium, urls, () => {
      opened += 1
      io.progress?.(`${opened} / ${pages.length}`)
    })
  } catch (error) {
    if (!(error instanceof BrowserError)) throw error
    return complain(found('browser_failed', error.message), io)
  }
  io.progress?.('')
  const refused = refusedWhileRunning(violations)
  const site = findSiteAround(io.cwd)
  const listed = refused.length === 0 || site === null ? [] : await findListed(site)
  for (const line of describeRefused(refused, grants, io.env, listed)) io.print(line)
  io.print(sayTo(io, found('opened', pages.length, all.length, refused.length)))
  return refused.length === 0 ? 0 : 1
}

const complain = (text: Message, io: CommandIo): number => complainOf('check', text, io)

/** Paths of the pages that a reader of everything has. */
const pathsOf = ({ editions }: OpenedRelease): readonly string[] =>
  [...(editions[0]?.files ?? [])].filter(([, { title }]) => title !== undefined).map(([path]) => path)

/** So many of a list, evenly, its first one among them. */
function spread(pages: readonly string[], count: number): readonly string[] {
  const step = Math.max(1, pages.length / count)
  return pages.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}
