import { mayLoad, pathsIn } from '../../leaks/named-files.ts'
import type { OpenedEdition, OpenedRelease } from '../../leaks/protected-release.ts'
import { digestOf, type EditionRun, openAs } from './edition-run.ts'

const isPage = (type: string) => type.startsWith('text/html')
const namesOthers = (type: string) => /^text\/(?:html|css)|javascript|json|xml/.test(type)

/** Reports files of the edition that only pages of other editions name; packing took them for shared. */
export function findNamedElsewhere({ options: { edition, others }, hidden, report }: EditionRun): void {
  if (others.length === 0) return
  const here = namedIn(edition, () => true)
  const scripts = textsOf(edition, (type) => /javascript|json/.test(type)).map(({ text }) => text)
  const elsewhere = new Set(
    others.flatMap((other) => [...namedIn(other, (where) => hidden.files.has(where)).keys()]),
  )
  for (const [path, { type }] of edition.files) {
    const key = path.normalize('NFC')
    if (isPage(type) || here.has(key) || !elsewhere.has(key)) continue
    if (scripts.some((script) => mayLoad(script, path))) continue
    const request = openAs(options(edition), edition.name, path)
    report('other-edition', request, 'the build', `${path}, which only pages of other editions name`)
  }
}

/** Form of a report request; it is built and never sent. */
const options = ({ name }: OpenedEdition) => ({ cookies: new Map([[name, '']]) })

/**
 * Asks for the files of the releases before: what was another edition's then or is now, and what no page of the edition names that
 * its readers still have, must not be sent.
 */
export async function askForEarlier(run: EditionRun, releases: readonly OpenedRelease[]): Promise<void> {
  const { edition, others } = run.options
  if (others.length === 0) return
  const isOwn = (path: string) => edition.files.has(path) || edition.redirects.has(path)
  for (const { id, editions } of releases) {
    const own = editions.find(({ name }) => name === edition.name)
    const named = own === undefined ? new Map<string, readonly string[]>() : namedIn(own, () => true)
    const wasLoaded = (path: string) =>
      named.get(path.normalize('NFC'))?.some((page) => edition.files.has(page))
    const probes = editions.flatMap(({ files }) =>
      [...files].flatMap(([path, { sha256 }]) => {
        const isOthers = others.some((other) => other.files.has(path)) || own?.files.has(path) !== true
        if (isOwn(path) || (!isOthers && wasLoaded(path))) return []
        return [{ request: openAs(run.options, edition.name, path), sha256 }]
      }),
    )
    await run.ask(probes, ({ request, sha256 }, outcome) => {
      if (digestOf(outcome) === sha256)
        run.report(
          'other-edition',
          request,
          'an earlier release',
          `a file of release ${id} that is restricted now`,
        )
    })
  }
}

/** File names in an edition, with the pages and files that contain them. */
function namedIn(
  edition: OpenedEdition,
  isWanted: (where: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>()
  for (const { where, text } of textsOf(edition, namesOthers)) {
    if (!isWanted(where)) continue
    for (const path of pathsIn(text, where)) {
      const known = named.get(path)
      if (known === undefined) named.set(path, [where])
      else known.push(where)
    }
  }
  return named
}

function textsOf(edition: OpenedEdition, isWanted: (type: string) => boolean) {
  const found: { readonly where: string; readonly text: string }[] = []
  for (const { where, bytes, type } of edition.storedBytes())
    if (isWanted(type)) found.push({ where, text: bytes.toString('utf8') })
  return found
}
