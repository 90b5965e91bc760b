/**
 * Paper is light: while a page of the dark mode is printed it has the colours of the light one, because browsers leave
 * the dark ground out and would set light letters on white. The reader's choice is not touched.
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
