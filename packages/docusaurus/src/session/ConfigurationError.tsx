import Translate from '@docusaurus/Translate'
import type { ReactNode } from 'react'

/** In the words of the login page's own box. */
export default function ConfigurationError(): ReactNode {
  return (
    <section
      className="sekisho-configuration-error"
      role="alert"
      aria-labelledby="sekisho-configuration-error"
    >
      <h2 id="sekisho-configuration-error">
        <Translate id="sekisho.configurationError.title">認証サービスの設定エラー</Translate>
      </h2>
      <p>
        <Translate id="sekisho.configurationError.text">
          環境変数とコンソールログを確認してください。
        </Translate>
      </p>
    </section>
  )
}
