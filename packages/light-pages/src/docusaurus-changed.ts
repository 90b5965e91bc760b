/** Docusaurus no longer looks the way light pages rely on; `decisions/060` lists what that is. */
export class DocusaurusChangedError extends Error {
  readonly code = 'ERR_DOCUSAURUS_CHANGED'

  constructor(what: string) {
    super(
      `${what}. Light pages rely on it (decisions/060): adapt packages/light-pages, or build with SEKISHO_LIGHT=off meanwhile.`,
    )
    this.name = 'DocusaurusChangedError'
  }
}
