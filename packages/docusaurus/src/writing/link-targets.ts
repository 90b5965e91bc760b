import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { decodeOrSame } from '@sekisho/contract/canonical-path'

/** Setting that names the folder to the loader of Markdown. */
const FOLDER = 'SEKISHO_LINK_TARGETS'
const LINK = /\](?:\(|:\s*)<?([^)\s>#?]+\.mdx?)(?=[)\s>#?]|$)/gm

/**
 * Keeps the address of each page, by its source (`@site/…`), in a file that is written when it changes. Compiled pages depend on those of
 * their links: a bundler's cache would keep broken links and former addresses.
 */
export function noteAddresses(folder: string, addresses: ReadonlyMap<string, string>): void {
  process.env[FOLDER] = folder
  mkdirSync(folder, { recursive: true })
  const files = new Map(Array.from(addresses, ([source, address]) => [fileOf(folder, source), address]))
  const before = new Set(readdirSync(folder).map((name) => path.join(folder, name)))
  for (const file of before) if (!files.has(file)) rmSync(file)
  for (const [file, address] of files)
    if (!before.has(file) || readFileSync(file, 'utf8') !== address) writeFileSync(file, address)
}

/** Files of the addresses that a page's links may mean, there or not: from its folder, or from one above it. */
export function linkTargets(siteDir: string, filePath: string, markdown: string): readonly string[] {
  const folder = process.env[FOLDER]
  if (folder === undefined) return []
  return Array.from(markdown.matchAll(LINK), ([, written = '']) => {
    const link = decodeOrSame(written)
    if (link.startsWith('@site/')) return [link]
    const own = path.relative(siteDir, path.dirname(filePath)).replaceAll(path.sep, '/')
    const above = own.split('/').map((_, depth, all) => all.slice(0, depth).join('/'))
    const folders = /^\.{1,2}\//.test(link) ? [own] : [own, ...above]
    return folders.map((from) => path.posix.join('@site', from, link))
  }).flatMap((sources) => sources.map((source) => fileOf(folder, source)))
}

const fileOf = (folder: string, source: string): string => path.join(folder, hash('sha1', source))
