import { stripVTControlCharacters } from 'node:util'
import { createMessages, type Message } from '@sekisho/contract/language'
import { sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { explainFailure } from './explain-failure.ts'

const messageOf = createMessages(TEXTS, 'build')

/** Lines to drop: Docusaurus's last one, which advises serving the folder ungated, and progress of bundlers. */
const UNTOLD =
  /Use `.* serve` command to test your build locally|\[(?:info|success)\] \[webpackbar\] (?:Compiling|\w+: Compiled)/
/** From here on a build only says, at length, why it fails. */
const FAILURE = /^\s*\[ERROR\]/
/** The same of a bundler that goes on with the other files: a missing module, a script that cannot be read. */
const UNBUILT = /^\W*[×x]\s+(?:x \S|Module not found|Cannot find module)/
/** Mistakes in a successful build's output, phrased like failures. */
const MISTAKES =
  /^\s*\[WARNING\] (?:Docusaurus found (?:broken (?:anchors|links)|\d+ unused)|Duplicate routes found|Markdown link with URL)/
const NEXT_MESSAGE = /^\s*\[[A-Z]+\]/
/** Progress of Docusaurus; all other lines are mistakes of the site's, and explained. */
const PROGRESS = [
  [/^(\s*)\[INFO\] (?:\[([\w-]+)\] )?Creating an optimized production build\.\.\..*$/, 'building_site'],
  [/^(\s*)\[SUCCESS\] Generated static files in .*$/, 'built_site'],
  [/^(\s*)\[INFO\] Website will be built for all these locales:.*$/, 'building_locales'],
  [/^(\s*)\[INFO\] Starting the development server\.\.\.$/, 'starting_site'],
  [/^(\s*)\[SUCCESS\] Docusaurus website is running at: (\S+)$/, 'site_is_shown'],
  [/^(\s*)client \(.+\) compiled successfully$/, 'site_is_current'],
] as const
/** Stack frames in third-party code; writers look for their own file and line. */
const FOREIGN_FRAME = /^\s+at (?:.*[\\/]node_modules[\\/]|.*\(node:|async Promise\.all )/

const isFailure = (line: string): boolean => FAILURE.test(line) || UNBUILT.test(line)

interface SiteOutputOptions {
  readonly siteDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Told what there is to say. */
  readonly onLine: (line: string) => void
  /** Takes everything from the first line of a failure on; without it, that is told like a mistake. */
  readonly held?: string[]
  /** After so many milliseconds of silence a mistake is told as far as it was heard; without it, at the next message. */
  readonly silenceMs?: number
  /** Told the explanation of each failure that Docusaurus survives. */
  readonly onFailure?: (explained: readonly string[]) => void
}

/** Hears what Docusaurus prints, line by line, and tells it in words that writers know. */
export function createSiteOutput({ siteDir, env, onLine, held, silenceMs, onFailure }: SiteOutputOptions) {
  let mistakes: string[] | null = null
  let silence: NodeJS.Timeout | undefined
  // Each of the bundles says what it finds, and the end of a build says it once more; while writing, each edit begins anew.
  const told = new Set<string>()
  const tellMistakes = () => {
    const lines = mistakes ?? []
    const explained = explainFailure(siteDir, [...lines, ''], env).map((text) => sayTo({ env }, text))
    if (lines.some(isFailure)) onFailure?.(explained)
    const toTell = explained.length > 0 ? explained.map((text) => `[WARNING] ${text}`) : lines
    for (const line of new Set(toTell).difference(told)) {
      told.add(line)
      onLine(line)
    }
    mistakes = null
  }
  return {
    hear(line: string): void {
      clearTimeout(silence)
      const bare = stripVTControlCharacters(line)
      if (UNTOLD.test(bare) || FOREIGN_FRAME.test(line)) return
      const progress = readProgress(bare)
      const isFaulty = held === undefined && isFailure(bare)
      if (mistakes !== null && !isFaulty && (NEXT_MESSAGE.test(bare) || progress !== null)) tellMistakes()
      if (MISTAKES.test(bare) || isFaulty) mistakes ??= []
      if (mistakes !== null) {
        mistakes.push(bare)
        if (silenceMs !== undefined) silence = setTimeout(tellMistakes, silenceMs)
      } else if (held !== undefined && (held.length > 0 || FAILURE.test(bare))) held.push(line)
      else onLine(progress === null ? line : sayTo({ env }, progress))
      if (progress?.code === 'site_is_current') told.clear()
    },
    /** Tells what is left of a mistake. */
    end(): void {
      clearTimeout(silence)
      tellMistakes()
    },
  }
}

function readProgress(line: string): Message | null {
  for (const [pattern, code] of PROGRESS) {
    const [whole, indent = '', name = ''] = pattern.exec(line) ?? []
    if (whole !== undefined) return messageOf(code, indent, name)
  }
  return null
}
