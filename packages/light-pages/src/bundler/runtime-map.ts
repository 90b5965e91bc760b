import { DocusaurusChangedError } from '../docusaurus-changed.ts'

/**
 * Takes the page chunks out of the runtime's map from chunk to file. The client names those files as it
 * learns of pages, so that the runtime neither grows with the site nor changes with every edit. Docusaurus'
 * own map from chunk name to id goes altogether: it serves its prefetcher, which the client replaces.
 */
export function shrinkRuntime(source: string, isPageChunk: (id: string) => boolean): string {
  const start = source.search(FILENAMES)
  const end = source.indexOf('".js"', start)
  if (start < 0 || end < 0)
    throw new DocusaurusChangedError(`the runtime no longer has ${REQUIRE}.u = (chunkId) => … ".js"`)
  const filenames = source
    .slice(start, end)
    .replace(ENTRY, (entry, id: string) => (isPageChunk(id) ? '' : entry))
  const shrunk = source.slice(0, start) + filenames + source.slice(end)
  return shrunk.replace(CHUNK_ASSET, `${REQUIRE}.gca = (chunkId) => ${REQUIRE}.p + ${REQUIRE}.u(chunkId);`)
}

const REQUIRE = '__webpack_require__'
const FILENAMES = /__webpack_require__\.u = (?:function ?)?\(chunkId\)/
const ENTRY = /"?([\w~-]+)"?\s*:\s*"[^"]*",?/g
const CHUNK_ASSET = /__webpack_require__\.gca = function ?\(chunkId\) ?\{.*\};/
