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

/** Short names, most of which come again; a longer one would keep the text that it was cut from. */
const known = new Map<string, Identifier>()
const KNOWN = { maxLength: 12, maxNames: 20_000 }

/** Reads a name so that `use_state`, `use-state`, `useState` and `usestate` share one form. */
export function readIdentifier(name: string): Identifier {
  const before = known.get(name)
  if (before !== undefined) return before
  const read = readName(name)
  if (name.length > KNOWN.maxLength) return read
  if (known.size >= KNOWN.maxNames) known.clear()
  known.set(name, read)
  return read
}

function readName(name: string): Identifier {
  const parts = (name.match(PART) ?? []).map((part) => part.toLowerCase())
  const joined = parts.join('').slice(0, MAX_LENGTH)
  return { joined, parts: parts.length > 1 ? parts.map((part) => part.slice(0, MAX_LENGTH)) : [] }
}
