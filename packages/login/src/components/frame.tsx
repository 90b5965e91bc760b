import type { LoginConfig } from '@sekisho/contract/login-page'
import type { ReactNode } from 'react'
import { Scene } from './scene.tsx'

interface FrameProps {
  readonly site: LoginConfig['site']
  readonly children: ReactNode
}

/** The picture, and beside it the card with the product's name. */
export function Frame({ site, children }: FrameProps): ReactNode {
  return (
    <div className="frame">
      <Scene />
      <main>
        <header className="brand">
          <Mark />
          <div>
            <p className="title">{site.title}</p>
            <p className="tagline">{site.tagline}</p>
          </div>
        </header>
        {children}
      </main>
    </div>
  )
}

/** The product's mark: a checkpoint gate, and the traveller who may pass. The same drawing as `mark.svg`. */
function Mark(): ReactNode {
  return (
    <svg className="mark" viewBox="0 0 48 48" aria-hidden="true">
      <path className="mark-gate" d="M9 6h5v8h20V6h5v8h5l1 5.5h-6V42h-5V19.5H14V42H9V19.5H3L4 14h5z" />
      <circle className="mark-traveller" cx="24" cy="31.5" r="5" />
    </svg>
  )
}
