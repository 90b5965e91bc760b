/** Docusaurus no longer looks the way page flattening relies on; `decisions/060` lists what that is. */
export class DocusaurusChangedError extends Error {
  readonly code = 'ERR_DOCUSAURUS_CHANGED'

  constructor(what: string) {
    super(
      `${what}. Page flattening relies on it (decisions/060): adapt packages/light-pages, or build with SEKISHO_FLAT=off meanwhile.`,
    )
    this.name = 'DocusaurusChangedError'
  }
}
