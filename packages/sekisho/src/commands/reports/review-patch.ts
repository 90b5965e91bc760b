import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMessages } from '@sekisho/contract/language'
import type { Manifest } from '@sekisho/release'
import { type AcknowledgementStore, readReviewDays } from '@sekisho/server/acknowledgements'
import { type CommandIo, complainOf } from '../../command.ts'
import { plain } from '../../language.ts'
import { findSite } from '../../site/find-site.ts'
import { TEXTS } from '../../texts/index.ts'
import { findSource } from './page-history.ts'

const messageOf = createMessages(TEXTS, 'acknowledgements')

const MAX_GIT_BYTES = 64e6
/** Lines around a change by which `git apply` finds its place. */
const CONTEXT = 3

/** Prints a patch for `git apply` that writes the owners' confirmations of the served release into front matter, as `reviewed`. */
export async function printReviewPatch(
  { editions }: Manifest,
  store: Pick<AcknowledgementStore, 'reviews'>,
  io: CommandIo,
): Promise<void> {
  const { dir } = findSite(io.cwd)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: dir, encoding: 'utf8', maxBuffer: MAX_GIT_BYTES })
  const names = git('ls-files', '-z').split('\0')
  const prefix = git('rev-parse', '--show-prefix').trim()
  const read = (name: string) => readFileSync(join(dir, name), 'utf8')
  const confirmed = new Map<string, string>()
  for (const edition of editions)
    for (const [path, day] of await readReviewDays(store, edition, [...edition.files.keys()]))
      if (day > (confirmed.get(path) ?? edition.files.get(path)?.page?.reviewed ?? ''))
        confirmed.set(path, day)
  for (const [path, day] of confirmed) {
    const name = findSource(names, path, read)
    const patch = name === null ? null : patchOf(prefix + name, read(name), day)
    if (patch === null) complainOf('acknowledgements', messageOf('source_not_found', plain(path), day), io)
    else io.print(patch)
  }
}

/** Patch of a file that sets `reviewed` in its front matter; null where it has no `review` there. */
export function patchOf(name: string, text: string, day: string): string | null {
  const isWhole = text.endsWith('\n')
  const lines = (isWhole ? text.slice(0, -1) : text).split('\n')
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---')
  const find = (key: string) => lines.findIndex((line, at) => at < end && line.startsWith(`${key}:`))
  const [review, earlier] = [find('review'), find('reviewed')]
  if (lines[0]?.trimEnd() !== '---' || review < 0 || /["\\\p{Cc}]/u.test(name)) return null
  const at = earlier < 0 ? review + 1 : earlier
  const removed = earlier < 0 ? [] : lines.slice(at, at + 1)
  const added = `reviewed: ${day}${lines[review]?.endsWith('\r') === true ? '\r' : ''}`
  const from = Math.max(0, at - CONTEXT)
  const before = lines.slice(from, at)
  const after = lines.slice(at + removed.length, at + removed.length + CONTEXT)
  const [old, now] = [removed.length, 1].map((own) => `${from + 1},${before.length + own + after.length}`)
  const hunk = [
    ...before.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    `+${added}`,
    ...after.map((line) => ` ${line}`),
    ...(isWhole || at + removed.length + after.length < lines.length ? [] : ['\\ No newline at end of file']),
  ]
  return [`--- a/${name}\t`, `+++ b/${name}\t`, `@@ -${old} +${now} @@`, ...hunk].join('\n')
}
