import type { LoginConfig } from '@sekisho/contract/login-page'
import type { ReactNode } from 'react'

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

/** The fence on both sides of the gate, one stake after the other. */
const STAKES = Array.from({ length: 40 }, (_, index) => index * 20 + 4).filter((x) => x < 250 || x > 532)

/** A checkpoint gate on a mountain road at daybreak; by night in dark mode. Decoration only. */
function Scene(): ReactNode {
  return (
    <svg className="scene" viewBox="0 0 800 900" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <defs>
        <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
          <stop className="sky-top" offset="0" />
          <stop className="sky-bottom" offset="0.75" />
        </linearGradient>
      </defs>
      <rect width="800" height="900" fill="url(#sky)" />
      <circle className="sun" cx="400" cy="462" r="64" />
      <path
        className="ridge-far"
        d="M0 604 80 550l60 30 110-130 62 52 88 18 84-20 106-78 70 76 50-30 90 70v362H0z"
      />
      <path className="ridge-mid" d="M0 690q120-70 240-20t220-6 180-24 160 40v260H0z" />
      <path className="ground" d="M0 790q200-44 400-34t400 24v140H0z" />
      <path className="road" d="M397 756h6q14 70 180 144H228q156-76 169-144z" />
      <g className="fence">
        {STAKES.map((x) => (
          <path key={x} d={`M${x} 736l5-8 5 8v96h-10z`} />
        ))}
        <path d="M0 756h262v9H0zM0 800h262v9H0zM538 756h262v9H538zM538 800h262v9H538z" />
      </g>
      <path
        className="gate"
        d="M262 546h32v44h212v-44h32v44h62l8 36h-70v36h-32v-36H294v36h-32v-36h-70l8-36h62zM262 662h276v16H262zM327 678h4v16h-4zM469 678h4v16h-4zM262 678h32v166h-32zM506 678h32v166h-32z"
      />
      <path className="lamp" d="M318 694h22v34h-22zM460 694h22v34h-22z" />
    </svg>
  )
}
