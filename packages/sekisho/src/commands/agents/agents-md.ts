import { agentSetup } from '@sekisho/contract/agent-setup'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages, pickLanguage } from '@sekisho/contract/language'
import { type Edition, loadManifest, type Manifest, readPointer, releasesDirOf } from '@sekisho/release'
import { DATA_DIR, dataDirHelp, defineCommand, misuse, readDataFolder } from '../../command.ts'
import { withSettingsFile } from '../../site/settings-file.ts'
import { problemOf, TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'agents')
const HELP = messageOf('agents_md_help', dataDirHelp(16))

const OPTIONS = { origin: { type: 'string' }, below: { type: 'string' }, ...DATA_DIR } as const
const MAX_BYTES = 8_192

/** Runs `sekisho agents-md`. */
export const runAgentsMd = defineCommand(
  { name: 'agents-md', help: HELP, options: OPTIONS },
  async (read, io) => {
    const { origin: named, below = '/', 'data-dir': dataDir } = read.values
    const origin = URL.parse(named ?? withSettingsFile(io).SEKISHO_ORIGIN ?? '')
    if (origin === null || !/^https?:$/.test(origin.protocol)) return misuse(io, HELP, messageOf('no_origin'))
    const releasesDir = releasesDirOf(readDataFolder(dataDir, io).root)
    const current = await readPointer(releasesDir)
    if (current === null) throw new ExplainedError(problemOf('no_release'))
    const manifest = await loadManifest(releasesDir, current)
    const edition = manifest.editions.find(({ audiences }) => audiences.length === 0)
    if (edition === undefined) throw new ExplainedError(messageOf('no_edition'))
    const pages = pagesBelow(edition, below)
    if (pages.length === 0) throw new ExplainedError(messageOf('nothing_below', below))
    io.print(agentsMarkdown(manifest.site, pages, origin))
    return 0
  },
)

interface IndexedPage {
  readonly path: string
  readonly title: string
}

function pagesBelow({ files }: Edition, below: string): readonly IndexedPage[] {
  const names = below.split('/').filter((name) => name !== '')
  const folder = ['', ...names, ''].join('/')
  return [...files].flatMap(([path, { markdown, title = path }]) =>
    markdown !== undefined && `${path}/`.startsWith(folder) ? [{ path, title }] : [],
  )
}

/** The index: every page where all of them fit, else folders with the number of their pages, the deeper ones first to go. */
export function agentsMarkdown(
  site: Pick<Manifest['site'], 'title' | 'tagline' | 'lang'>,
  pages: readonly IndexedPage[],
  origin: URL,
): string {
  const texts = TEXTS[pickLanguage(site.lang)].agentsIndex
  const { name, claudeCode } = agentSetup(origin)
  const head = [
    `## ${site.title}`,
    '',
    `${site.tagline}: ${origin.href}`,
    '',
    texts.when(name),
    '',
    `- ${texts.connect}: \`${claudeCode}\``,
    `- ${texts.tools}`,
    '',
    `### ${texts.pages}`,
    '',
  ].join('\n')
  const room = MAX_BYTES - Buffer.byteLength(head) - 1
  for (let depth = 12; depth > 0; depth -= 1) {
    const lines = linesOf(pages, depth)
    if (Buffer.byteLength(lines.join('\n')) <= room) return head + lines.join('\n')
  }
  return head + fitting(linesOf(pages, 1), room).join('\n')
}

/** Pages by name down to so many segments of a path; what is deeper is counted by folder. */
function linesOf(pages: readonly IndexedPage[], depth: number): readonly string[] {
  const deep = new Map<string, number>()
  const lines = pages.flatMap(({ path, title }) => {
    const segments = path.split('/').filter((segment) => segment !== '')
    if (segments.length <= depth) return [`- ${title} (${path})`]
    const folder = `/${segments.slice(0, depth).join('/')}/`
    deep.set(folder, (deep.get(folder) ?? 0) + 1)
    return []
  })
  return [...lines, ...[...deep].map(([folder, count]) => `- ${folder} (${count})`)]
}

function fitting(lines: readonly string[], room: number): readonly string[] {
  let left = room
  return lines.filter((line) => {
    left -= Buffer.byteLength(line) + 1
    return left >= 0
  })
}
