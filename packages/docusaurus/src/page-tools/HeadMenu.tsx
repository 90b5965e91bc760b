import { type ReactNode, useEffect, useRef, useState } from 'react'
import { MarkdownActions } from './MarkdownActions.tsx'
import type { ToolTexts } from './texts.ts'

type Props = { readonly markdown: string; readonly texts: ToolTexts }

/** The tools of a text at its head, behind one button, reachable without scrolling to the foot. */
export default function HeadMenu({ markdown, texts }: Props): ReactNode {
  const [status, setStatus] = useState('')
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => closeElsewhere(menu.current), [])
  return (
    <details className="sekisho-head-menu" ref={menu} onToggle={() => setStatus('')}>
      <summary aria-label={texts.menu} title={texts.menu}>
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="currentColor">
          <circle cx="5" cy="12" r="2" />
          <circle cx="12" cy="12" r="2" />
          <circle cx="19" cy="12" r="2" />
        </svg>
      </summary>
      <div className="sekisho-head-menu__panel">
        <MarkdownActions markdown={markdown} texts={texts} say={setStatus} />
        <p role="status">{status}</p>
      </div>
    </details>
  )
}

/** Escape, a click elsewhere and a focus that has gone elsewhere close the menu; Escape leads back to its button. */
function closeElsewhere(menu: HTMLDetailsElement | null): (() => void) | undefined {
  if (menu === null) return undefined
  const listeners = new AbortController()
  const leave = ({ target }: Event): void => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false
  }
  document.addEventListener('pointerdown', leave, listeners)
  document.addEventListener('focusin', leave, listeners)
  menu.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !menu.open) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    },
    listeners,
  )
  return () => listeners.abort()
}
