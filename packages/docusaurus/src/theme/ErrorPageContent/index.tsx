import { useLocation } from '@docusaurus/router'
import { translate } from '@docusaurus/Translate'
import { getErrorCausalChain } from '@docusaurus/utils-common'
import Heading from '@theme/Heading'
import { type ReactNode, useEffect, useState } from 'react'

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
      {process.env.SEKISHO_DEV_SEARCH === 'on' && <Advice message={messages.join('\n')} />}
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

/** Advice to a writer, with the page's file from the tables of the development server; its address while they load. */
function Advice({ message }: { readonly message: string }): ReactNode {
  const { pathname } = useLocation()
  const [source, setSource] = useState(pathname)
  useEffect(() => {
    if (process.env.SEKISHO_DEV_SEARCH === 'on')
      // else a build would make chunks of the tables
      void Promise.all([import('@generated/routesChunkNames'), import('@generated/registry')]).then(
        ([{ default: routes }, { default: registry }]) => {
          const parts = Object.entries(routes).flatMap(([route, { content, __comp }]) =>
            withoutSlash(route.replace(/-[0-9a-f]{3}$/, '')) === withoutSlash(pathname)
              ? [content, __comp].flatMap((part) => registry[String(part)]?.[1] ?? [])
              : [],
          )
          const file = parts.find((part) => part.startsWith('@site/'))
          if (file !== undefined) setSource(file.slice('@site/'.length))
        },
      )
  }, [pathname])
  return <p>{adviceOf(source, message)}</p>
}

const withoutSlash = (path: string): string => path.replace(/(?<=.)\/$/, '')

function adviceOf(file: string, message: string): string {
  const [, component] = /Expected component `(.+?)` to be defined/.exec(message) ?? []
  const [, name] = /^(\S+) is not defined/m.exec(message) ?? []
  if (component !== undefined)
    return isJapanese
      ? `${file}: <${component}> というコンポーネントがありません。import するか、名前を直してください。`
      : `${file}: there is no component <${component}>: import it, or correct its name.`
  if (/Bad <Tabs> child|\(reading 'name'\)/.test(message))
    return isJapanese
      ? `${file}: <Tabs> の中には <TabItem> だけを置けます。`
      : `${file}: only <TabItem> may stand in <Tabs>.`
  if (/The `style` prop expects/.test(message))
    return isJapanese
      ? `${file}: style は style={{ color: 'red' }} のように書いてください。`
      : `${file}: write style as style={{ color: 'red' }}.`
  if (name !== undefined)
    return isJapanese
      ? `${file}: { } の中の「${name}」が定義されていません。`
      : `${file}: "${name}" in { } is not defined.`
  return isJapanese
    ? `${file}: このページの import、コンポーネント、{ } の中を確認してください。`
    : `${file}: check the imports, components and { } of this page.`
}
