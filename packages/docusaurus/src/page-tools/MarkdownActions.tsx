import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ToolTexts } from './texts.ts'

/** Rarely used, so its code loads on demand. */
const AgentSetup = lazy(() => import('./AgentSetup.tsx'))

type Props = {
  /** Address of the page's Markdown. */
  readonly markdown: string
  readonly texts: ToolTexts
  readonly say: (status: string) => void
}

/** Exports of a text: its Markdown, and paper. */
export function MarkdownActions({ markdown, texts, say }: Props): ReactNode {
  const [isForAgent, setForAgent] = useState(false)
  const copy = (): void => {
    copyText(markdown).then(
      () => say(texts.copied),
      () => say(texts.copyFailed),
    )
  }
  return (
    <>
      <div className="sekisho-tools__row">
        <button type="button" className="button button--secondary button--sm" onClick={copy}>
          {texts.copy}
        </button>
        <a className="button button--secondary button--sm" href={markdown} target="_blank" rel="noreferrer">
          {texts.open}
        </a>
        <button type="button" className="button button--secondary button--sm" onClick={() => window.print()}>
          {texts.print}
        </button>
        <button
          type="button"
          className="button button--secondary button--sm"
          aria-expanded={isForAgent}
          onClick={() => setForAgent(!isForAgent)}
        >
          {texts.agent}
        </button>
      </div>
      {isForAgent ? (
        <Suspense>
          <AgentSetup texts={texts} say={say} copyMarkdown={copy} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Some browsers let a page copy only while it answers a click, so the text is promised to them then. */
async function copyText(address: string): Promise<void> {
  const text = fetch(address, { credentials: 'same-origin' }).then(async (response) => {
    if (!response.ok) throw new Error(`the Markdown was answered with ${response.status}`)
    return new Blob([await response.text()], { type: 'text/plain' })
  })
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
}
