import { constants, openSync } from 'node:fs'
import { type FileHandle, open, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import { findPathProblem } from '../../request-path.ts'
import { problemOf } from '../../texts/index.ts'
import { isLeftOut } from './left-out.ts'

/** One regular file of a site build. */
export interface BuildFile {
  /** Path below the build folder, with `/` between segments. */
  readonly name: string
  readonly file: string
}

/** Contents of a build folder, and their problems. */
export interface BuildListing {
  readonly files: readonly BuildFile[]
  /** Names that stay behind on purpose (source maps, statistics, hidden files). */
  readonly leftOut: readonly string[]
  readonly problems: readonly Message[]
  /** Files whose names no request path can have; a page may be at another path than its file's. */
  readonly misnamed: readonly (BuildFile & { readonly problem: Message })[]
}

/** Lists every file of a build. A symbolic link or a special file is a problem, never followed and never read. */
export async function listBuild(buildDir: string): Promise<BuildListing> {
  const listing: Writable = { files: [], leftOut: [], problems: [], misnamed: [] }
  await walk(buildDir, [], listing)
  listing.files.sort((a, b) => (a.name < b.name ? -1 : 1))
  return listing
}

type Writable = { -readonly [Key in keyof BuildListing]: BuildListing[Key][number][] }

async function walk(folder: string, parents: readonly string[], listing: Writable): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const segments = [...parents, entry.name]
    const name = segments.join('/')
    const file = join(folder, entry.name)
    if (entry.isDirectory()) await walk(file, segments, listing)
    else if (isLeftOut(segments)) listing.leftOut.push(name)
    else if (entry.isSymbolicLink())
      listing.problems.push(problemOf('symbolic_link', name, await readlink(file)))
    else if (!entry.isFile()) listing.problems.push(problemOf('special_file', name))
    else keep(name, file, listing)
  }
}

function keep(name: string, file: string, listing: Writable): void {
  const problem = findPathProblem(`/${name}`)
  if (problem === null) listing.files.push({ name, file })
  else listing.misnamed.push({ name, file, problem: problemOf('file_name', JSON.stringify(name), problem) })
}

/** Opens a file for reading, failing on a symbolic link (also one put there since the listing). */
export function openNoFollow(file: string): Promise<FileHandle> {
  return open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
}

/** As {@link openNoFollow}, on the calling thread. Answers a file descriptor, which the caller closes. */
export function openNoFollowNow(file: string): number {
  return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
}
