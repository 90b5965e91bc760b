import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  const list = path.join(folder, 'all.json')
  const before = existsSync(list)
    ? new Map<string, string>(JSON.parse(readFileSync(list, 'utf8')))
    : new Map()
  writeFileSync(list, JSON.stringify([...addresses]))
  for (const [source, address] of addresses)
    if (before.get(source) !== address) writeFileSync(fileOf(folder, source), address)
  for (const source of before.keys())
    if (!addresses.has(source)) rmSync(fileOf(folder, source), { force: true })
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
