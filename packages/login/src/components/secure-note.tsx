import type { ReactNode } from 'react'
import { TEXTS } from '../texts/index.ts'

export function SecureNote(): ReactNode {
  return (
    <p className="secure-note">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 2 4 5v6c0 5 3.4 9.3 8 11 4.600-1.700 8-6 8-11V5zm-1.200 14.400-3.700-3.700 1.500-1.500 2.200 2.200 4.700-4.700 1.500 1.500z" />
      </svg>
      <span>{TEXTS.secureNote}</span>
    </p>
  )
}
