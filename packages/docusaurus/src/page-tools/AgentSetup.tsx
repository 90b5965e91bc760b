import { agentSetup } from '@sekisho/contract/agent-setup'
import { type ReactNode, useEffect, useState } from 'react'
import type { ToolTexts } from './texts.ts'

type Props = {
  readonly texts: ToolTexts
  readonly say: (status: string) => void
  readonly copyMarkdown: () => void
}

/** Metadata that a gate serves for agents; absent where its operator turned them off. */
const METADATA = '/.well-known/oauth-protected-resource/mcp'

/** Instructions for connecting a reader's agent to this page, or to all they may read. */
export default function AgentSetup({ texts, say, copyMarkdown }: Props): ReactNode {
  const [isOn, setOn] = useState<boolean | null>(null)
  useEffect(() => {
    fetch(METADATA).then(
      ({ ok }) => setOn(ok),
      () => setOn(false),
    )
  }, [])
  const { claudeCode, cursorLink, vsCodeLink } = agentSetup(new URL(window.location.origin))
  const copyCommand = (): void => {
    navigator.clipboard.writeText(claudeCode).then(
      () => say(texts.commandCopied),
      () => say(texts.commandNotCopied),
    )
  }
  const className = 'button button--secondary button--sm'
  return (
    <div className="sekisho-tools__row">
      <button type="button" className={className} onClick={copyMarkdown}>
        {texts.copy}
      </button>
      {isOn === true ? (
        <>
          <button type="button" className={className} onClick={copyCommand}>
            {texts.claudeCode}
          </button>
          <a className={className} href={cursorLink}>
            {texts.cursor}
          </a>
          <a className={className} href={vsCodeLink}>
            {texts.vsCode}
          </a>
          <code>{claudeCode}</code>
        </>
      ) : null}
      {isOn === false ? <span>{texts.agentsOff}</span> : null}
    </div>
  )
}
