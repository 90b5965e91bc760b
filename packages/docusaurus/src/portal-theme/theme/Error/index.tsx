import Head from '@docusaurus/Head'
import { getErrorCausalChain } from '@docusaurus/utils-common'
import type { ReactNode } from 'react'

export type Props = { readonly error: Error; readonly tryAgain: () => void }

/**
 * The last resort, when even the layout cannot be rendered. Uses neither layout nor translations nor router, since any of
 * them may be what failed; a crash inside the layout gets the classic theme's error page instead.
 */
export default function CrashPage({ error, tryAgain }: Props): ReactNode {
  const messages = getErrorCausalChain(error).map((cause) => cause.message)
  return (
    <main className="container margin-vert--xl">
      <Head>
        <html lang="ja" />
        <title>このページはクラッシュしました</title>
      </Head>
      <h1>このページはクラッシュしました</h1>
      <p>もう一度試しても直らないときは、下のメッセージを添えて管理者に知らせてください。</p>
      <p>
        <button type="button" className="button button--primary" onClick={tryAgain}>
          もう一度試す
        </button>
      </p>
      <p className="sekisho-crash__messages">{messages.join('\n\n原因:\n')}</p>
    </main>
  )
}
