import listed from '@generated/sekisho-docusaurus/default/noted-pages.json'

const NOTES = '[data-sekisho-notes]'

/**
 * Puts the notes of this page at the end of its text, and their banner at its head, until the signal.
 * @param isNoted tells if its front matter asks for notes; else the list of the build does
 */
export async function placeNotes(
  place: HTMLElement | null,
  isNoted: boolean,
  ending: AbortSignal,
): Promise<void> {
  const path = window.location.pathname
  const isAsked = isNoted || listed.includes(path)
  const notes = takeDelivered(path) ?? (isAsked ? await fetchNotes(path, ending) : null)
  if (place === null || notes === null || ending.aborted) return
  place.replaceChildren(notes)
  for (const banner of notes.querySelectorAll<HTMLElement>('[data-sekisho-banner]')) {
    banner.className = `alert alert--${banner.dataset.sekishoBanner === 'obsolete' ? 'danger' : 'secondary'}`
    banner.style.cssText = 'margin-bottom:1rem'
    const article = place.closest('article')
    const breadcrumbs = article?.querySelector('.theme-doc-breadcrumbs') ?? null
    if (breadcrumbs === null) article?.prepend(banner)
    else breadcrumbs.after(banner)
    ending.addEventListener('abort', () => banner.remove())
  }
  notes.style.cssText =
    'margin:2rem 0 0;padding:1rem 1.25rem;border:1px solid var(--ifm-color-emphasis-300);border-radius:var(--ifm-global-radius);overflow-wrap:anywhere'
  for (const button of notes.querySelectorAll('button')) {
    button.className = 'button button--primary'
    button.removeAttribute('style')
  }
  if (notes.childElementCount === 0) notes.remove()
  const target = window.location.hash.slice(1)
  if (target !== '') notes.querySelector(`[id="${CSS.escape(target)}"]`)?.scrollIntoView()
}

/** Notes behind the end of the document as it was delivered, if it is the document of this page. */
function takeDelivered(path: string): HTMLElement | null {
  const notes = document.querySelector<HTMLElement>(`body > ${NOTES}`)
  notes?.remove()
  return notes?.dataset.sekishoNotes === decodeURI(path) ? notes : null
}

/** Fetches the page itself, so that what is acknowledged was served to this session. */
async function fetchNotes(path: string, signal: AbortSignal): Promise<HTMLElement | null> {
  const response = await fetch(path, { headers: { Accept: 'text/html' }, credentials: 'same-origin', signal })
  if (!response.ok) return null
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return page.querySelector<HTMLElement>(NOTES)
}
