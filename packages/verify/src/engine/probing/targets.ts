import { createHash } from 'node:crypto'
import type { TemplateSubject } from '../../catalogue/template.ts'
import type { ProtectedRelease } from '../../leaks/protected-release.ts'

/** A path to ask for, and whether the release has it. */
export interface Target extends TemplateSubject {
  readonly exists: boolean
  /** Features of the spelling, locale included, that a gate may react to: answers are compared within one shape. */
  readonly shape: string
}

/** The paths of a release with a twin for each shape that names nothing. */
export interface Targets {
  readonly files: readonly Target[]
  readonly redirects: readonly Target[]
  /** One decoy for each shape. */
  readonly decoys: readonly Target[]
  /** A few files of every kind with their own decoys, for the products of tables. */
  readonly sample: readonly Target[]
}

const SAMPLE_FILES = 4

/** Lists what to ask for; what `isTaken` names is there as well, and no decoy. Decoys are made from real paths, character by character, so only existence differs. */
export function listTargets(
  release: Pick<ProtectedRelease, 'files' | 'redirects' | 'locales'>,
  host: string,
  isTaken: (path: string) => boolean = () => false,
): Targets {
  const exists = (path: string) => release.files.has(path) || release.redirects.has(path)
  const baseOf = (path: string) => findLocale(release.locales, path)?.base ?? '/'
  const target = (path: string, sha256: string): Target => ({
    path,
    sha256,
    host,
    exists: exists(path),
    shape: shapeOf(path, baseOf(path)),
  })
  const decoyOf = (path: string) => {
    let name = path
    for (let round = 0; exists(name) || isTaken(name) || baseOf(name) !== baseOf(path); round += 1)
      name = decoyPath(path, round)
    return target(name, digest(name))
  }
  const files = [...release.files].map(([path, file]) => target(path, file.sha256))
  const redirects = [...release.redirects.keys()].map((path) => target(path, digest(path)))
  const shapes = new Map([...files, ...redirects].map((one) => [one.shape, one]))
  const kinds = new Map(files.map((one) => [`${release.files.get(one.path)?.type} ${one.shape}`, one]))
  const sampled = [...kinds.values()].slice(0, SAMPLE_FILES)
  return {
    files,
    redirects,
    decoys: [...shapes.values()].filter((one) => !isRoot(one)).map(({ path }) => decoyOf(path)),
    sample: sampled.flatMap((one) => (isRoot(one) ? [one] : [one, decoyOf(one.path)])),
  }
}

/** The further locale a path is below; null in the site's own. */
export function findLocale(
  locales: ProtectedRelease['locales'],
  path: string,
): { readonly base: string; readonly tag: string } | null {
  for (const [base, tag] of locales) if (`${path}/`.startsWith(base)) return { base, tag }
  return null
}

/** The first page of a locale has no name of its own that a decoy could have another for. */
const isRoot = ({ shape }: Target) => shape.startsWith('0')

function shapeOf(path: string, base: string): string {
  const below = path.slice(base.length)
  const depth = Math.min(below.split('/').filter((segment) => segment !== '').length, 2)
  const marks = [
    base !== '/' && base,
    path.length > 1 && path.endsWith('/') && 'slash',
    /[\u0080-\uffff]/.test(path) && 'non-ascii',
    /[^A-Za-z0-9/._~\u0080-\uffff-]/.test(path) && 'punctuation',
    !/[A-Za-z0-9]/.test(path) && 'letterless',
  ]
  return [depth, ...marks.filter((mark) => mark !== false)].join(' ')
}

/** Replaces the letters of the last segment's stem by others of the same kind. */
function decoyPath(path: string, round: number): string {
  const [, before = '', stem = '', after = ''] = /^(.*\/)([^/]+?)((?:\.[a-z0-9]{1,8})?\/?)$/u.exec(path) ?? []
  const bytes = createHash('sha256').update(`${path} ${round}`).digest()
  let at = 0
  const pick = (from: number, count: number) => {
    at += 1
    return String.fromCharCode(from + ((bytes[at % bytes.length] ?? 0) % count))
  }
  const decoy = stem.replace(/[a-z]|[A-Z]|[0-9]|[\u0080-\u{10ffff}]/gu, (letter) => {
    if (/[a-z]/.test(letter)) return pick(0x61, 26)
    if (/[A-Z]/.test(letter)) return pick(0x41, 26)
    return /[0-9]/.test(letter) ? pick(0x30, 10) : pick(0x6f00, 256)
  })
  return before + decoy + (round > 20 ? `${round}` : '') + after
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
