/** Category of a page, for filters. A `reference`, which lists an API, is among the documents. */
export type PageKind = 'docs' | 'reference' | 'knowledge' | 'blog' | 'page'

/** A heading of a page and the text below it, as the reader sees it. */
export interface PageSection {
  readonly heading: string
  readonly level: number
  readonly anchor: string
  readonly text: string
}

/** A page to index. `id` is stable across builds; `url` is what a result links to. */
export interface IndexPage {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly kind: PageKind
  readonly breadcrumbs: readonly string[]
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly tags?: readonly string[]
  readonly version?: string
  /** Day of the last change, YYYY-MM-DD. */
  readonly date?: string
  readonly sections: readonly PageSection[]
}
