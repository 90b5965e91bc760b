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
      {process.env.SEKISHO_DEV_SEARCH === 'on' && <p>{adviceOf(messages.join('\n'))}</p>}
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

const isJapanese = process.env.PAGE_LANGUAGE === 'ja'

/** Advice to the writer of a page that fails while it is shown. */
function adviceOf(message: string): string {
  const [, component] = /Expected component `(.+?)` to be defined/.exec(message) ?? []
  const [, name] = /^(\S+) is not defined/.exec(message) ?? []
  if (component !== undefined)
    return isJapanese
      ? `このページの <${component}> というコンポーネントがありません。import するか、名前を直してください。`
      : `There is no component <${component}> on this page: import it, or correct its name.`
  if (/Bad <Tabs> child/.test(message))
    return isJapanese
      ? 'このページの <Tabs> の中には <TabItem> だけを置けます。'
      : 'On this page only <TabItem> may stand in <Tabs>.'
  if (name === undefined) return ''
  return isJapanese
    ? `このページの { } の中の「${name}」が定義されていません。`
    : `"${name}" in { } on this page is not defined.`
}
