import { type ReactNode, useEffect, useRef } from 'react'
import { TEXTS } from '../texts.ts'
import ChoiceLine, { type Props as LineProps } from './ChoiceLine.tsx'
import type { ChoiceGroup } from './choices.ts'

export type Props = {
  readonly groups: readonly ChoiceGroup[]
  readonly active: number
  readonly areNamesShown: boolean
  readonly onPoint: (index: number) => void
  readonly onChoose: LineProps['onChoose']
}

/** The listbox under the field (WAI-ARIA APG, combobox with list autocomplete); focus stays in the field. */
export default function ChoiceList({ groups, active, areNamesShown, onPoint, onChoose }: Props): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const line = list.current?.querySelectorAll('[role="option"]')[active]
    line?.scrollIntoView({ block: 'nearest' })
  }, [active])
  let index = -1
  return (
    <div
      ref={list}
      id="sekisho-search-list"
      role="listbox"
      aria-label={TEXTS.results}
      className="sekisho-search__list"
    >
      {groups.map(({ id, name, hint, choices }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox owns groups of options; a fieldset is not one
        <div key={id} role="group" aria-label={name} className="sekisho-search__group">
          {(areNamesShown || hint !== undefined) && (
            <div className="sekisho-search__name" aria-hidden="true">
              {name}
              {hint !== undefined && <div className="sekisho-search__way">{hint}</div>}
            </div>
          )}
          {choices.map((choice) => {
            index += 1
            const at = index
            return (
              <ChoiceLine
                key={choice.id}
                choice={choice}
                isActive={at === active}
                onPoint={() => onPoint(at)}
                onChoose={onChoose}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}
