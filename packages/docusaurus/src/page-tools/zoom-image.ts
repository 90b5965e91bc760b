import { TOOL_TEXTS } from './texts.ts'

/** Shows a picture as large as the window; a click anywhere, Esc, or going to another page closes it. */
export function zoomImage(image: HTMLImageElement): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'sekisho-zoom'
  dialog.setAttribute('aria-label', image.alt)
  const large = document.createElement('img')
  large.src = image.currentSrc
  large.alt = image.alt
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'button button--secondary button--sm'
  close.textContent = TOOL_TEXTS.close
  dialog.append(close, large)
  const leave = (): void => dialog.close()
  dialog.addEventListener('click', leave)
  dialog.addEventListener('close', () => {
    window.removeEventListener('popstate', leave)
    dialog.remove()
  })
  window.addEventListener('popstate', leave)
  document.body.append(dialog)
  dialog.showModal()
}
