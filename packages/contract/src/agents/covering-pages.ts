/** Page that describes files of code repositories. */
export interface CoveringPage {
  readonly path: string
  readonly title: string
  readonly owner: string | null
  /** Patterns of these files. */
  readonly covers: readonly string[]
}

/** Covering pages of the reader's edition. */
export interface CoveringPages {
  readonly pages: readonly CoveringPage[]
  /** Pages that did not fit. */
  readonly more: number
}
