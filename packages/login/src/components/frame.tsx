import type { LoginConfig } from '@sekisho/contract/login-page'
import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'
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
