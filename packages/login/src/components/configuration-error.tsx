import type { ReactNode } from 'react'

/** For whoever runs the portal: which setting is wrong is in the gate's log, never on this page. */
export function ConfigurationError(): ReactNode {
  return (
    <section className="configuration-error" role="alert" aria-labelledby="configuration-error">
      <h2 id="configuration-error">認証サービスの設定エラー</h2>
      <p>環境変数とコンソールログを確認してください。</p>
    </section>
  )
}
