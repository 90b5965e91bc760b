import { translate } from '@docusaurus/Translate'
import type { OwnSession } from '@sekisho/contract/session-answer'
import { type ReactNode, useEffect, useState } from 'react'
import { inLanguage } from '../../../language.ts'
import { listSessions } from '../../../session/session-api.ts'

export type Props = {
  /** Null where it is shown already. */
  readonly email: string | null
  /** The id its button opens it by; null where it is shown all the time. */
  readonly popoverId: string | null
  readonly isLeaving: boolean
  readonly onLeaveEverywhere: () => void
}

/** The account's sessions, and a button that ends all of them. */
export default function AccountPanel({ email, popoverId, isLeaving, onLeaveEverywhere }: Props): ReactNode {
  const [sessions, setSessions] = useState<readonly OwnSession[]>([])
  const [isOpen, setIsOpen] = useState(popoverId === null)
  useEffect(() => {
    if (isOpen) void listSessions(fetch).then(setSessions)
  }, [isOpen])
  const popover =
    popoverId === null
      ? {}
      : ({
          id: popoverId,
          popover: 'auto',
          onToggle: (event: { readonly newState: string }) => setIsOpen(event.newState === 'open'),
        } as const)
  return (
    <div className="sekisho-session__panel" {...popover}>
      {email === null ? null : <p className="sekisho-session__email">{email}</p>}
      <ul className="sekisho-session__list">
        {sessions.map((session) => (
          <li key={`${session.startedAtMs} ${session.isThisOne}`}>{describe(session)}</li>
        ))}
      </ul>
      <button
        type="button"
        className="button button--outline button--secondary button--sm"
        disabled={isLeaving}
        onClick={onLeaveEverywhere}
      >
        {translate({ id: 'sekisho.session.signOutEverywhere', message: 'すべての端末からログアウト' })}
      </button>
    </div>
  )
}

const MOMENT = new Intl.DateTimeFormat(inLanguage({ ja: 'ja-JP', en: 'en' }), {
  month: 'numeric',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

function describe({ isThisOne, startedAtMs, lastSeenAtMs }: OwnSession): string {
  const moments = { started: MOMENT.format(startedAtMs), seen: MOMENT.format(lastSeenAtMs) }
  return isThisOne
    ? translate({ id: 'sekisho.session.here', message: 'このブラウザー: {started} にログイン' }, moments)
    : translate(
        {
          id: 'sekisho.session.elsewhere',
          message: 'ほかのブラウザー: {started} にログイン、最後の利用 {seen}',
        },
        moments,
      )
}
