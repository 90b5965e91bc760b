import type { ReactNode } from 'react'

/** The product's mark: a checkpoint gate, and the traveller who may pass. The same drawing as `mark.svg`. */
export function Mark(): ReactNode {
  return (
    <svg className="mark" viewBox="0 0 48 48" aria-hidden="true">
      <path className="mark-gate" d="M9 6h5v8h20V6h5v8h5l1 5.5h-6V42h-5V19.5H14V42H9V19.5H3L4 14h5z" />
      <circle className="mark-traveller" cx="24" cy="31.5" r="5" />
    </svg>
  )
}
