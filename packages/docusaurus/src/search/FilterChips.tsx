import { type ReactNode, useRef } from 'react'
import { type Chip, filterChips } from './filter-chips.ts'
import type { SearchSession, SearchState } from './search-session.ts'
import { AREAS, TEXTS } from './texts.ts'

export type Props = { readonly state: SearchState; readonly session: SearchSession }

/** Filters: the portal's areas, and other properties that divide the found pages. */
export default function FilterChips({ state, session }: Props): ReactNode {
  const { filters, answer } = state
  const names = useRef(new Map<string, string>())
  const chips = filterChips(filters, answer?.choices ?? null, names.current, new Date())
  const change = ({ name, value, label, isOn }: Chip): void => {
    names.current.set(`${name} ${value}`, label)
    const { [name]: _left, ...others } = filters
    session.ask({ filters: isOn ? others : { ...others, [name]: value } })
  }
  const { section: _area, ...everywhere } = filters
  return (
    <>
      <fieldset className="sekisho-search__areas" aria-label={TEXTS.areas}>
        {AREAS.map(([area, name]) => (
          <button
            key={name}
            type="button"
            aria-pressed={area === (filters.section ?? null)}
            onClick={() =>
              session.ask({ filters: area === null ? everywhere : { ...everywhere, section: area } })
            }
          >
            {name}
          </button>
        ))}
      </fieldset>
      {chips.length > 0 && (
        <fieldset className="sekisho-search__areas sekisho-search__filters" aria-label={TEXTS.filters}>
          {chips.map((chip) => (
            <button
              key={`${chip.name} ${chip.value}`}
              type="button"
              aria-pressed={chip.isOn}
              onClick={() => change(chip)}
            >
              {chip.label}
            </button>
          ))}
        </fieldset>
      )}
    </>
  )
}
