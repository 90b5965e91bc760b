/** What writers are told of their pages. */
export const en = {
  problems: {
    misspelt_admonition: (place: string, name: string, meant: string) =>
      `${place} says :::${name}; is :::${meant} meant?`,
    shared_heading_id: (file: string, number: number, id: string, first: number) =>
      `${file}:${number} has a heading with the id "${id}", as line ${first} has: change one of them.`,
    open_block: (file: string, number: number, text: string) =>
      `${file}:${number} opens ${text}, which nothing closes: end it with a line of ":::" alone.`,
    stray_end: (file: string, number: number) =>
      `${file}:${number} closes a block that nothing opened. A block around others needs more colons, as in ::::note.`,
    broken_markdown_link: (place: string, url: string) =>
      `${place} links to ${url}, which is not there: check the name of the file and its folder.`,
  },
  /** Of a site whose editions are built. */
  editions: {
    outside_site: (folder: string) =>
      `A site with editions has its documents below its own folder: ${folder} is outside of it, where pages cannot be told apart.`,
    not_of_edition: (page: string, audience: string) =>
      `${page} says that it is for ${audience} alone, and an edition for others would hold it: sekisho reads the audience of a page from YAML front matter in the site's own folder.`,
  },
  search: {
    without_vectors: (pages: number, problem: string) =>
      `The search finds ${pages} pages by their words alone: the endpoint of search.embeddings gave them no vectors (${problem}). The next build asks again.`,
  },
}
