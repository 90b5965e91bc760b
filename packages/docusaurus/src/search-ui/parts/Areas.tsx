import type { Area } from '@sekisho/contract/search-answer'
import type { ReactNode } from 'react'
import { AREAS, TEXTS } from '../texts.ts'

export type Props = { readonly area: Area | null; readonly onChoose: (area: Area | null) => void }

/** The filter: everything, or one of the portal's areas. */
export default function Areas({ area, onChoose }: Props): ReactNode {
  return (
    <fieldset className="sekisho-search__areas" aria-label={TEXTS.areas}>
      {AREAS.map(([value, name]) => (
        <button key={name} type="button" aria-pressed={value === area} onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
