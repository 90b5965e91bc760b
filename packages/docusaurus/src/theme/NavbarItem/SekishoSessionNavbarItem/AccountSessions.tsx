import { translate } from '@docusaurus/Translate'
import type { OwnSession } from '@sekisho/contract/own-sessions'
import { PATHS } from '@sekisho/contract/paths'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { listSessions } from '../../../session/own-sessions.ts'
import { endSession } from '../../../session/sign-out.ts'

export type Props = { readonly isLeaving: boolean; readonly onLeaveEverywhere: () => void }

/** Confirmation before an action. */
type Question = { readonly text: string; readonly run: () => void }

/** Sessions of the account; each of them, or all, can be ended after confirmation. */
export default function AccountSessions({ isLeaving, onLeaveEverywhere }: Props): ReactNode {
  const [sessions, setSessions] = useState<readonly OwnSession[] | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const load = useCallback((): void => void listSessions(fetch).then(setSessions), [])
  useEffect(load, [load])
  const askToEnd = (session: OwnSession): void =>
    setQuestion({
      text: translate(
        { id: 'sekisho.session.endQuestion', message: '{device} のログインを終了しますか？' },
        { device: deviceOf(session) },
      ),
      run: () => void endSession(fetch, { id: session.id }).then(load, load),
    })
  const askToLeave = (): void =>
    setQuestion({
      text: translate({
        id: 'sekisho.session.everywhereQuestion',
        message: 'このブラウザーも含めて、すべての端末からログアウトしますか？',
      }),
      run: onLeaveEverywhere,
    })
  // The button that had the focus is gone with its question; nobody shall be sent back to the top of the page.
  const wasAsked = useRef(false)
  const stopAsking = (): void => {
    wasAsked.current = true
    setQuestion(null)
  }
  if (question !== null) return <Confirmation question={question} onDone={stopAsking} />
  return (
    <>
      {sessions?.length === 0 && <Failure onRetry={load} />}
      <ul className="sekisho-session__list">
        {sessions?.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => askToEnd(session)} />
        ))}
      </ul>
      <button
        type="button"
        className="button button--outline button--secondary button--sm"
        ref={(button) => {
          if (wasAsked.current) button?.focus()
          wasAsked.current = false
        }}
        disabled={isLeaving}
        onClick={askToLeave}
      >
        {translate({ id: 'sekisho.session.signOutEverywhere', message: 'すべての端末からログアウト' })}
      </button>
      <p className="sekisho-session__question">
        <a href={PATHS.account}>
          {translate({ id: 'sekisho.session.page', message: 'グループとエディションを見る' })}
        </a>
      </p>
    </>
  )
}

type RowProps = { readonly session: OwnSession; readonly onEnd: () => void }

function SessionRow({ session, onEnd }: RowProps): ReactNode {
  const { isThisOne, place, startedAtMs, lastSeenAtMs } = session
  const device = deviceOf(session)
  return (
    <li>
      <span className="sekisho-session__device">
        {device}
        {isThisOne && (
          <span className="badge badge--primary">
            {translate({ id: 'sekisho.session.here', message: 'このブラウザー' })}
          </span>
        )}
      </span>
      <span className="sekisho-session__when">
        {place !== null && `${place}、`}
        {translate(
          { id: 'sekisho.session.when', message: '{started} にログイン、最後の利用 {seen}' },
          { started: MOMENT.format(startedAtMs), seen: MOMENT.format(lastSeenAtMs) },
        )}
      </span>
      {!isThisOne && (
        <button
          type="button"
          className="clean-btn sekisho-session__end"
          aria-label={translate(
            { id: 'sekisho.session.endOf', message: '{device} のログインを終了' },
            { device },
          )}
          onClick={onEnd}
        >
          {translate({ id: 'sekisho.session.end', message: '終了' })}
        </button>
      )}
    </li>
  )
}

type ConfirmationProps = { readonly question: Question; readonly onDone: () => void }

function Confirmation({ question: { text, run }, onDone }: ConfirmationProps): ReactNode {
  return (
    <div role="alertdialog" aria-label={text}>
      <p className="sekisho-session__question">{text}</p>
      <button
        type="button"
        className="button button--primary button--sm margin-right--sm"
        onClick={() => {
          run()
          onDone()
        }}
      >
        {translate({ id: 'sekisho.session.confirm', message: '終了する' })}
      </button>
      <button
        type="button"
        className="button button--outline button--secondary button--sm"
        ref={(cancel) => cancel?.focus()}
        onClick={onDone}
      >
        {translate({ id: 'sekisho.session.cancel', message: 'やめる' })}
      </button>
    </div>
  )
}

function Failure({ onRetry }: { readonly onRetry: () => void }): ReactNode {
  return (
    <p className="sekisho-session__question" role="alert">
      {translate({ id: 'sekisho.session.listFailed', message: '接続できません。' })}{' '}
      <button type="button" className="button button--primary button--sm" onClick={onRetry}>
        {translate({ id: 'sekisho.connection.retry', message: 'もう一度試す' })}
      </button>
    </p>
  )
}

const MOMENT = new Intl.DateTimeFormat(process.env.PAGE_LANGUAGE === 'ja' ? 'ja-JP' : 'en', {
  month: 'numeric',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

function deviceOf({ device }: OwnSession): string {
  return device === '' ? translate({ id: 'sekisho.session.noDevice', message: '不明なブラウザー' }) : device
}
