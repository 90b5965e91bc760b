import type { ReactNode } from 'react'
import { TEXTS } from '../texts/index.ts'

/** For whoever runs the portal: which setting is wrong is in the gate's log, never on this page. */
export function ConfigurationError(): ReactNode {
  return (
    <section className="configuration-error" role="alert" aria-labelledby="configuration-error">
      <h2 id="configuration-error">{TEXTS.configurationError.title}</h2>
      <p>{TEXTS.configurationError.advice}</p>
    </section>
  )
}
