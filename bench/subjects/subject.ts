import { join } from 'node:path'

/** Generated sites, peers' packages and results; ignored by Git. */
export const CACHE_DIR = join(import.meta.dirname, '../.cache')

/** Something that makes a site of the corpus: ours, or a peer. */
export interface Subject {
  name: string
  /** Writes the site of this many pages and installs what it needs; not part of any measurement. */
  prepare(size: number): Promise<Site>
  /** Shows nothing to readers its own script has not seen sign in. */
  signsIn?: true
  /** True in the page once it answers clicks. */
  hydrated: string
  /** A link in the navigation that leads to another page. */
  link: string
}

/** A site ready to be built. */
export interface Site {
  dir: string
  /** Folder of the built site. */
  outDir: string
  /** Caches of a build for the next one, below `dir`. Removed before a cold build. */
  caches: string[]
  /** Program and arguments of the build. */
  command: [string, ...string[]]
  env: { [name: string]: string }
  /** Address of a page at the bottom of the tree. */
  page: string
  /** A source file whose change stands for an edit. */
  source: string
}
