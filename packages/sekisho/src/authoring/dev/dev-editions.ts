import { sayIn } from '@sekisho/contract/language'
import type { DevEditions } from '@sekisho/contract/paths'
import { ReleaseError } from '@sekisho/release'
import { languageOf } from '../../language.ts'
import { divideSite } from '../editions/check-whole.ts'
import { holdsAudience, type SiteEditions } from '../editions/read-editions.ts'
import { listSiteFiles, type SiteFile } from '../editions/site-files.ts'
import { openStage, STAGED_CONFIG, type Stage, stageSite } from '../editions/stage-site.ts'
import { followEdits } from '../follow-edits.ts'
import { readNotedSite } from './site-notes.ts'

interface DevEditionOptions {
  readonly siteDir: string
  readonly editions: SiteEditions
  /** The edition to show; null for all pages. */
  readonly shown: string | null
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** A site with editions, while it is written. */
interface WritingEditions {
  /** Folder in which Docusaurus must run: the site, or the files of one edition. */
  readonly siteDir: string
  readonly options: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** Editions of the page at an address, for the writer. */
  describe(address: string): DevEditions
  /** Follows each edit from now on, and tells what keeps the site from being divided. */
  follow(tell: (problems: readonly string[]) => void): Promise<void>
}

/** Shows a site as the readers of one edition get it; rejects with `ReleaseError` where it cannot be divided yet. */
export async function openDevEditions(options: DevEditionOptions): Promise<WritingEditions> {
  const { siteDir, editions, shown, env, signal } = options
  const stage = shown === null ? null : await openStage(siteDir, 'writing')
  let files = await listSiteFiles(siteDir, editions)
  if (stage !== null) await show(stage)

  /** Puts what the edition holds now into its folder; what has not changed stays as it is. */
  async function show(into: Stage): Promise<void> {
    const held = divideSite(editions, files).held.get(shown ?? '') ?? new Set()
    const audiences = editions.editions.find(({ name }) => name === shown)?.audiences ?? []
    await stageSite(into, siteDir, { files, held, audiences, labels: editions.labels })
  }

  async function readAnew(): Promise<readonly string[]> {
    try {
      files = await listSiteFiles(siteDir, editions)
      if (stage === null) divideSite(editions, files)
      else await show(stage)
      return []
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error
      return error.problems.map((problem) => sayIn(problem, languageOf(env)))
    }
  }

  return {
    siteDir: stage?.siteDir ?? siteDir,
    options: stage === null ? [] : ['--config', STAGED_CONFIG],
    variables: stage?.git ?? {},
    describe(address) {
      const page = fileOf(stage?.siteDir ?? siteDir, address, files)
      return {
        shown,
        editions: editions.editions.map((edition) => ({
          name: edition.name,
          holdsPage: page === null ? null : holdsAudience(edition, page.audience),
        })),
      }
    },
    follow: (tell) => followEdits(siteDir, signal, async () => tell(await readAnew())),
  }
}

/** The file that the page at an address was made of, as Docusaurus noted. */
function fileOf(siteDir: string, address: string, files: readonly SiteFile[]): SiteFile | null {
  const withoutSlash = (path: string) => path.replace(/(?<=.)\/$/, '')
  const page = readNotedSite(siteDir)?.pages.find(
    ({ permalink }) => withoutSlash(permalink) === withoutSlash(address),
  )
  return files.find(({ name }) => name === page?.source) ?? null
}
