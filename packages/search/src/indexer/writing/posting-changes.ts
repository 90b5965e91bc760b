import type { DatabaseSync } from 'node:sqlite'
import { blockOf, type Posting, placeOf, updateBlock } from '../../format/postings.ts'
import { type BatchTerms, IMPACTS } from '../analysis/analyse-batch.ts'
import type { PageTerms } from '../analysis/page-terms.ts'
import { prepareWrite } from './prepare-write.ts'

/** As many postings are held before they are written, so that a large site needs no more memory than a small one. */
const MAX_HELD = 1_000_000

/** Collects which terms pages add and take away, and writes each row once. */
export class PostingChanges {
  /** Of each term, pages times {@link IMPACTS} plus the impact; impact 0 takes the page away. */
  readonly #changes = new Map<string, number[]>()
  readonly #database: DatabaseSync
  #held = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Adds the terms of pages that were analysed together; these have the numbers `pages`. */
  add(pages: readonly number[], { names, counts, entries }: BatchTerms): void {
    let end = 0
    for (const [at, term] of names.split('\n').entries()) {
      const start = end
      end += counts[at] ?? 0
      for (const entry of entries.subarray(start, end))
        this.#note(term, (pages[pageOf(entry)] ?? 0) * IMPACTS + impactOf(entry))
    }
    this.#held += entries.length
    this.#writeMany()
  }

  remove(page: number, { terms }: PageTerms): void {
    for (const term of terms) this.#note(term, page * IMPACTS)
    this.#held += terms.length
    this.#writeMany()
  }

  /** Writes what is held, in the order of the table. */
  write(): void {
    const read = this.#database.prepare('SELECT pages FROM posting WHERE term = ? AND block = ?')
    const write = prepareWrite(this.#database, 'INSERT OR REPLACE INTO posting VALUES (?, ?, ?)')
    const drop = prepareWrite(this.#database, 'DELETE FROM posting WHERE term = ? AND block = ?')
    for (const term of [...this.#changes.keys()].sort())
      for (const [block, changes] of Map.groupBy(this.#changes.get(term) ?? [], (change) =>
        blockOf(pageOf(change)),
      )) {
        const removed = new Set(
          changes.filter((change) => impactOf(change) === 0).map((change) => placeOf(pageOf(change))),
        )
        const added = changes
          .filter((change) => impactOf(change) > 0)
          .map((change): Posting => [pageOf(change), impactOf(change)])
        const pages = updateBlock(read.get(term, block)?.pages, added, removed)
        if (pages === null) drop.run(term, block)
        else write.run(term, block, pages)
      }
    this.#changes.clear()
    this.#held = 0
  }

  #note(term: string, change: number): void {
    const known = this.#changes.get(term)
    if (known === undefined) this.#changes.set(term, [change])
    else known.push(change)
  }

  #writeMany(): void {
    if (this.#held > MAX_HELD) this.write()
  }
}

const pageOf = (change: number): number => Math.floor(change / IMPACTS)
const impactOf = (change: number): number => change % IMPACTS
