import type { MouseEvent, ReactNode } from 'react'
import Icon from '../Icon.tsx'
import { Marked, Snippet } from '../parts.tsx'
import { TEXTS, wayOf } from '../texts.ts'
import type { Choice } from './choices.ts'

const ICONS = {
  ask: 'M4 5h16v11h-9l-4 3.5V16H4zM10 8.7a2 2 0 1 1 2.8 1.8c-.5.2-.8.6-.8 1.1M12 13.6v.1',
  page: 'M7 3.5h7l4 4v13H7zM14 3.5v4h4M10 12h5M10 15.5h5',
  section: 'M9.5 4.5 7.5 19.5M16.5 4.5l-2 15M5 9.5h15M4 14.5h15',
  recent: 'M12 7v5l3.5 2M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
}

export type Props = {
  readonly choice: Choice
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onChoose: (choice: Choice, newTab: boolean) => void
}

/** One option: a real link where it opens a page, so that it can be opened in every way a link can. */
export default function ChoiceLine({ choice, isActive, onPoint, onChoose }: Props): ReactNode {
  const choose = (event: MouseEvent): void => {
    event.preventDefault()
    onChoose(choice, event.ctrlKey || event.metaKey || event.shiftKey)
  }
  return (
    <a
      id={`sekisho-${choice.id}`}
      className={`sekisho-search__choice sekisho-search__choice--${choice.kind}`}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      href={choice.kind === 'recent-query' ? undefined : choice.url}
      onClick={choose}
      onPointerMove={onPoint}
    >
      <ChoiceText choice={choice} />
    </a>
  )
}

function ChoiceText({ choice }: { readonly choice: Choice }): ReactNode {
  switch (choice.kind) {
    case 'ask':
      return (
        <>
          <Icon path={ICONS.ask} />
          <span className="sekisho-search__text">
            <span className="sekisho-search__title">{TEXTS.ask}</span>
            <span className="sekisho-search__way">{TEXTS.askHint}</span>
            <span className="sekisho-search__snippet">{choice.q}</span>
          </span>
        </>
      )
    case 'page':
      return (
        <>
          <Icon path={ICONS.page} />
          <span className="sekisho-search__text">
            <span className="sekisho-search__title">
              <Marked text={choice.page.title} marks={choice.page.titleMarks} />
            </span>
            <span className="sekisho-search__way">{wayOf(choice.page)}</span>
            {choice.lead !== null && <Snippet snippet={choice.lead.snippet} />}
          </span>
        </>
      )
    case 'section':
      return (
        <>
          <Icon path={ICONS.section} />
          <span className="sekisho-search__text">
            <span className="sekisho-search__heading">
              <Marked text={choice.section.heading} marks={choice.section.headingMarks} />
            </span>
            <Snippet snippet={choice.section.snippet} />
          </span>
        </>
      )
    case 'recent-query':
      return (
        <>
          <Icon path={ICONS.recent} />
          <span className="sekisho-search__text">{choice.q}</span>
        </>
      )
    case 'recent-page':
      return (
        <>
          <Icon path={ICONS.page} />
          <span className="sekisho-search__text">{choice.recent.title}</span>
        </>
      )
  }
}
