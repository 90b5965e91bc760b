import { translate } from '@docusaurus/Translate'
import { getErrorCausalChain } from '@docusaurus/utils-common'
import Heading from '@theme/Heading'
import type { ReactNode } from 'react'

export type Props = {
  readonly error: Error
  readonly tryAgain: () => void
  /** Element; `div` inside a page's own main element. */
  readonly as?: 'main' | 'div'
}

/** Replaces content that failed to render, under the navigation: the remedy, and the messages for developers. */
export default function ErrorPageContent({ error, tryAgain, as: As = 'main' }: Props): ReactNode {
  const messages = getErrorCausalChain(error).map((cause) => cause.message)
  return (
    <As className="container margin-vert--lg">
      <Heading as="h1">
        {translate({ id: 'theme.ErrorPageContent.title', message: 'This page crashed.' })}
      </Heading>
      <p>
        {translate({
          id: 'sekisho.crash.advice',
          message: 'もう一度試しても直らないときは、下のメッセージを添えて管理者に知らせてください。',
        })}
      </p>
      <p>
        <button type="button" className="button button--primary" onClick={tryAgain}>
          {translate({ id: 'theme.ErrorPageContent.tryAgain', message: 'Try again' })}
        </button>
      </p>
      <p className="sekisho-crash__messages">{messages.join('\n\n原因:\n')}</p>
    </As>
  )
}
