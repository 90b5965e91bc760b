import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { compilePattern, type FilePattern } from '@sekisho/contract/file-pattern'
import { askGit } from '../writing/git-history.ts'

/** Finds the owners of a file by its path from the site; null where no rule names any. */
export type FindOwner = (file: string) => string | null

/** Places in which the hosts look, from the root of the repository. */
const PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS']
/** GitHub reads no larger file. */
const MAX_BYTES = 3e6
/** An owner of a page is one line. */
const MAX_OWNER_CHARS = 200

/** Reads the CODEOWNERS of the repository around a site, of its last commit where the work tree has none. */
export function findCodeOwners(siteDir: string): FindOwner {
  const prefix = askGit(siteDir, 'rev-parse', '--show-prefix')?.trim()
  const up = askGit(siteDir, 'rev-parse', '--show-cdup')?.trim()
  if (prefix === undefined || up === undefined) return () => null
  const root = path.join(siteDir, up)
  const place = PLACES.find((name) => statSync(path.join(root, name), { throwIfNoEntry: false })?.isFile())
  const text = place === undefined ? committed(siteDir) : readFileSync(path.join(root, place), 'utf8')
  if (text === null || text.length > MAX_BYTES) return () => null
  const findOwners = readCodeOwners(text)
  return (file) => {
    const owners = findOwners(path.posix.join(prefix, file).normalize('NFC'))
    while (owners.join(', ').length > MAX_OWNER_CHARS) owners.pop()
    return owners.join(', ') || null
  }
}

function committed(siteDir: string): string | null {
  const known = askGit(siteDir, 'ls-tree', '--full-tree', '--name-only', 'HEAD', '--', ...PLACES)?.split('\n')
  const place = PLACES.find((name) => known?.includes(name))
  return place === undefined ? null : askGit(siteDir, 'show', `HEAD:${place}`)
}

interface Rule {
  readonly matches: readonly FilePattern[]
  readonly owners: readonly string[]
}

/** `[Documents][2] @docs`, with `^` for optional approval: GitLab alone has sections. */
const SECTION = /^\^?\[([^\]]+)\](?:\[\d+\])?(?:\s(.*))?$/
/** A pattern, whose spaces follow a backslash, and the rest of its line. */
const LINE = /^((?:\\.|[^\s\\])+)(?:\s(.*))?$/

/**
 * Reads the rules of GitHub, or of GitLab for a file with sections. The last rule of each section that matches counts; one without owners
 * has those of its section. Rules that exclude files (`!`), or name no valid owner, are left out.
 */
export function readCodeOwners(text: string): (file: string) => string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const isGitLab = lines.some((line) => SECTION.test(line))
  const sections = new Map<string, Rule[]>()
  let rules: Rule[] = []
  let usual: readonly string[] = []
  sections.set('', rules)
  for (const line of lines) {
    const [, section, named = ''] = (isGitLab && SECTION.exec(line)) || []
    const [, pattern, own = ''] = LINE.exec(line) ?? []
    if (section !== undefined) {
      const name = section.toLowerCase()
      rules = sections.get(name) ?? []
      sections.set(name, rules)
      usual = ownersIn(named)
    } else if (pattern !== undefined && !/^[#!]/.test(pattern)) {
      const owners = own.trim() === '' || /^\s*#/.test(own) ? usual : ownersIn(own)
      const isKnown = owners === usual || owners.length > 0
      if (isKnown) rules.push({ matches: patternsOf(pattern, isGitLab).map(compilePattern), owners })
    }
  }
  return (file) => {
    const found = [...sections.values()].map((own) =>
      own.findLast(({ matches }) => matches.some((isMatch) => isMatch(file))),
    )
    return [...new Set(found.flatMap((rule) => rule?.owners ?? []))]
  }
}

const OWNER = /^(?:@[\w.-]+(?:\/[\w.-]+)*|[^\s@]+@[^\s@]+)$/

/** Accounts, teams and addresses; anything else names no owner, and a comment ends the line. */
function ownersIn(text: string): readonly string[] {
  const words = text.split(/\s+/)
  const comment = words.findIndex((word) => word.startsWith('#'))
  return words
    .slice(0, comment < 0 ? undefined : comment)
    .filter((word) => word.length <= MAX_OWNER_CHARS && OWNER.test(word))
}

/** Patterns of files: GitHub's are those of .gitignore, GitLab's begin anywhere unless with a slash, and name files alone. */
function patternsOf(pattern: string, isGitLab: boolean): readonly string[] {
  const plain = pattern.replace(/\\(.)/g, '$1').normalize('NFC')
  const isAnchored = plain.startsWith('/') || (!isGitLab && plain.slice(0, -1).includes('/'))
  const from = isAnchored ? plain : `**/${plain}`
  return isGitLab || /\/\*?$/.test(plain) ? [from] : [from, `${from}/`]
}
