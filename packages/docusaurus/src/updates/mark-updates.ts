import { PATHS } from '@sekisho/contract/paths'

/** Changed pages and the words for them, as the gate gives them. */
interface Updates {
  readonly pages: readonly { readonly path: string; readonly kind: 'new' | 'changed' }[]
  readonly mark: string
  readonly isNew: string
  readonly note: string
  readonly compare: string
  /** Address of the page of changes. */
  readonly address: string
}

let asked: Promise<Updates | null> | null = null
let shown: HTMLElement | null = null

/** Marks changed pages in the menu, and puts a note above the text of a changed page. */
export async function markUpdates(path: string): Promise<void> {
  shown?.remove()
  asked ??= askOnce().catch(() => null)
  const updates = await asked
  if (updates === null || path !== window.location.pathname) return
  document.querySelector('body > [data-sekisho-news]')?.remove()
  const own = updates.pages.find((page) => page.path === encodeURI(decodeURI(path)))
  const place = document.querySelector('article') ?? document.querySelector('main')
  if (own === undefined || place === null) return
  const note = document.createElement('p')
  note.className = 'alert alert--secondary'
  note.setAttribute('role', 'note')
  note.append(own.kind === 'new' ? updates.isNew : `${updates.mark} ${updates.note} `)
  if (own.kind === 'changed') {
    const link = document.createElement('a')
    link.href = `${updates.address}?${new URLSearchParams({ page: decodeURI(own.path) })}`
    link.textContent = updates.compare
    note.append(link)
  }
  // Behind the breadcrumbs: the tools of the page stand beside them.
  const breadcrumbs = place.querySelector('.theme-doc-breadcrumbs')
  if (breadcrumbs === null) place.prepend(note)
  else breadcrumbs.after(note)
  shown = note
}

async function askOnce(): Promise<Updates | null> {
  const response = await fetch(PATHS.updates, { credentials: 'same-origin' })
  if (!response.ok) return null
  const updates: Updates = await response.json()
  const rules = updates.pages.map(({ path, kind }) => {
    const label = JSON.stringify(kind === 'new' ? updates.isNew : updates.mark)
    return `.menu__link[href=${JSON.stringify(path)}]::after{content:${label};flex:none;margin-inline-start:.5em;padding:0 .5em;border:1px solid;border-radius:1em;font-size:.75em}`
  })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(rules.join('\n'))
  document.adoptedStyleSheets.push(sheet)
  return updates
}
