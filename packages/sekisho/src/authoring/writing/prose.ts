import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { isRecord } from '@sekisho/contract/json-shape'
import { createMessages } from '@sekisho/contract/language'
import { type CommandIo, complainOf } from '../../command.ts'
import { sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'site')

/** Rules for prose unless the site has a `.textlintrc.json` of its own. */
const DEFAULT_CONFIG = {
  plugins: { '@textlint/markdown': { extensions: ['.md', '.mdx'] } },
  rules: { 'preset-ja-technical-writing': true },
}
/** Files for one run of textlint; a command line holds no more than some 100 KB. */
const FILES_A_RUN = 200
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * Has textlint read the pages of a site and prints what it would write otherwise, as warnings.
 * @returns 0, however many there are; 1 where textlint is not installed or fails
 */
export async function checkProse(siteDir: string, io: CommandIo): Promise<number> {
  const home = [siteDir, join(siteDir, 'prose')].find((folder) =>
    resolveFrom(folder, 'textlint/package.json'),
  )
  if (home === undefined) {
    return complainOf('check', messageOf('textlint_missing', siteDir), io)
  }
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'sekisho-prose-'))
  const own = [home, siteDir]
    .map((folder) => join(folder, '.textlintrc.json'))
    .find((file) => existsSync(file))
  const config = own ?? join(temporary.path, '.textlintrc.json')
  if (own === undefined) await writeFile(config, JSON.stringify(DEFAULT_CONFIG))
  const files = pagesOf(siteDir)
  let warnings = 0
  for (let start = 0; start < files.length; start += FILES_A_RUN) {
    const report = await runTextlint(home, config, files.slice(start, start + FILES_A_RUN))
    if (typeof report === 'string') {
      io.complain(`textlint: ${report}`)
      return 1
    }
    for (const line of report.map((warning) => describe(warning, io.cwd))) io.print(line)
    warnings += report.length
  }
  io.print(sayTo(io, messageOf('prose_remarks', warnings, files.length)))
  return 0
}

interface Warning {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly rule: string
  readonly message: string
}

function describe({ file, line, column, rule, message }: Warning, cwd: string): string {
  return `${relative(cwd, file)}:${line}:${column} ${message.split('\n', 1)[0]} (${rule})`
}

function pagesOf(siteDir: string): string[] {
  const isGenerated = (name: string) => /^(?:node_modules|build|static|prose|\..+)$/.test(name)
  return globSync('**/*.{md,mdx}', {
    cwd: siteDir,
    withFileTypes: true,
    exclude: ({ name }) => isGenerated(name),
  })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}

/** Runs textlint on files; resolves to its warnings, or a text when it failed. */
function runTextlint(home: string, config: string, files: readonly string[]): Promise<Warning[] | string> {
  const bin = join(home, 'node_modules', '.bin', 'textlint')
  const args = ['--config', config, '--rules-base-directory', join(home, 'node_modules'), '--format', 'json']
  const options = { cwd: home, maxBuffer: MAX_OUTPUT_BYTES }
  return new Promise((resolve) => {
    execFile(bin, [...args, ...files], options, (error, stdout, stderr) => {
      try {
        resolve(readReport(JSON.parse(stdout)))
      } catch {
        resolve((stderr || stdout || error?.message || '').trim())
      }
    })
  })
}

function readReport(report: unknown): Warning[] {
  if (!Array.isArray(report)) throw new TypeError('textlint reports no list of files')
  return report.filter(isRecord).flatMap(({ filePath, messages }) =>
    (Array.isArray(messages) ? messages : []).filter(isRecord).map(({ line, column, ruleId, message }) => ({
      file: String(filePath),
      line: Number(line),
      column: Number(column),
      rule: String(ruleId),
      message: String(message),
    })),
  )
}

function resolveFrom(folder: string, request: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve(request)
    return true
  } catch {
    return false
  }
}
