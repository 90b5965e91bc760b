/**
 * Prints dark-mode pages in the light colours: browsers leave out the dark background and would print light text on
 * white. The reader's choice is not changed.
 */
function printOnPaper(): void {
  const root = document.documentElement
  let shown: string | null = null
  window.addEventListener('beforeprint', () => {
    shown = root.getAttribute('data-theme')
    root.setAttribute('data-theme', 'light')
  })
  window.addEventListener('afterprint', () => {
    if (shown !== null) root.setAttribute('data-theme', shown)
  })
}

if (typeof window !== 'undefined') printOnPaper()
