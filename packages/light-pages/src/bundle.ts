/** Placement of a module in the bundle: its id, and the chunks that must be loaded before it can be required. */
export interface Placement {
  module: string
  chunks: string[]
}

/** Queries on a finished bundle. */
export interface Bundle {
  outDir: string
  /** By the request with which the list of modules imports each. */
  placements: ReadonlyMap<string, Placement>
  /** By id, and by name those that have one. */
  chunks: ReadonlyMap<string, BundleChunk>
}

/** A chunk of a finished bundle. */
export interface BundleChunk {
  id: string
  /** Its JavaScript, relative to the output folder; a chunk of styles has none. */
  file: string | undefined
  /** Ids of the chunks that its code can load. */
  children: readonly string[]
}
