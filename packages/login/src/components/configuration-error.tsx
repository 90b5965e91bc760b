import type { ReactNode } from 'react'
import { TEXTS } from '../texts/index.ts'

/** Notice of a wrong setting; only the gate's log names it, never this page. */
export function ConfigurationError(): ReactNode {
  return (
    <section className="configuration-error" role="alert" aria-labelledby="configuration-error">
      <h2 id="configuration-error">{TEXTS.configurationError.title}</h2>
      <p>{TEXTS.configurationError.advice}</p>
    </section>
  )
}
