/**
 * Prints dark-mode pages in the light colours: browsers leave out the dark background and would print light text on
 * white. What is folded is printed as well: paper cannot be clicked. The reader's choices are not changed.
 */
function printOnPaper(): void {
  const root = document.documentElement
  let shown: string | null = null
  let unfolded: HTMLDetailsElement[] = []
  window.addEventListener('beforeprint', () => {
    shown = root.getAttribute('data-theme')
    root.setAttribute('data-theme', 'light')
    unfolded = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')]
    for (const details of unfolded) unfold(details, true)
  })
  window.addEventListener('afterprint', () => {
    if (shown !== null) root.setAttribute('data-theme', shown)
    for (const details of unfolded) unfold(details, false)
  })
}

/** The theme folds with a height of its own and notes for itself whether it did. */
function unfold(details: HTMLDetailsElement, isOpen: boolean): void {
  details.open = isOpen
  const content = details.querySelector<HTMLElement>(':scope > div')
  if (content === null) return
  content.style.display = isOpen ? 'block' : ''
  content.style.height = isOpen ? 'auto' : ''
  content.style.overflow = isOpen ? 'visible' : ''
}

if (typeof window !== 'undefined') printOnPaper()
