/** One name as written (`useState`, `react-dom`), the form its spellings share, and its parts. */
interface Identifier {
  readonly joined: string
  readonly parts: readonly string[]
}

const MAX_LENGTH = 64
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lt}|\p{N}+/gu

/** Cuts a chunk (`src/pages/index.astro`, `import.meta.glob`) into the names it is made of. */
export function splitChunk(chunk: string): string[] {
  return chunk.split(/[^\p{L}\p{N}\p{M}_-]+/u).filter((name) => /[\p{L}\p{N}]/u.test(name))
}

/** Reads a name so that `use_state`, `use-state`, `useState` and `usestate` share one form. */
export function readIdentifier(name: string): Identifier {
  const parts = (name.match(PART) ?? []).map((part) => part.toLowerCase())
  const joined = parts.join('').slice(0, MAX_LENGTH)
  return { joined, parts: parts.length > 1 ? parts.map((part) => part.slice(0, MAX_LENGTH)) : [] }
}
