import { translate } from '@docusaurus/Translate'
import { cookieNames } from '@sekisho/contract/cookies'
import { PATHS } from '@sekisho/contract/paths'
import { loadWhenReachable } from '@sekisho/light-pages/connection'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import type { SignOutScope } from '../../../session/sign-out.ts'
import { countOpen } from '../../../session/tab-release.ts'
import { useSession } from '../../../session/tab-session.ts'

/** Without a connection it cannot be loaded, nor could the gate be told. */
const loadSignOut = () => import('../../../session/sign-out.ts')
const loadSessions = () => import('./AccountSessions.tsx')

/** Loaded when the account is opened; without a connection, once it is back. */
const AccountSessions = lazy(() => loadWhenReachable(loadSessions, PATHS.health))

export type Props = { readonly mobile?: boolean; readonly className?: string }

/** The signed-in reader and a logout button; nothing when signed out. Until scripts run, the name alone, or three dots. */
export default function SekishoSessionNavbarItem({ mobile = false }: Props): ReactNode {
  const session = useSession()
  if (session.status === 'signed-out') return null
  const content =
    session.status === 'loading' ? (
      <Loading />
    ) : (
      <SignedIn person={session.name ?? session.email} email={session.email} mobile={mobile} />
    )
  return mobile ? (
    <li className="menu__list-item sekisho-session sekisho-session--mobile">{content}</li>
  ) : (
    <div className="navbar__item sekisho-session">{content}</div>
  )
}

function Loading(): ReactNode {
  const label = translate({ id: 'sekisho.session.loading', message: 'ログイン状態を確認しています' })
  return (
    <>
      <span className="sekisho-session__loading" role="status" aria-label={label} suppressHydrationWarning>
        ...
      </span>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; its hash is in the content policy */}
      <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SHOW_READER }} />
    </>
  )
}

type SignedInProps = { readonly person: string; readonly email: string; readonly mobile: boolean }

function SignedIn({ person, email, mobile }: SignedInProps): ReactNode {
  const [isLeaving, setIsLeaving] = useState(false)
  const panel = useId()
  const leave = (scope: SignOutScope): void => {
    setIsLeaving(true)
    loadSignOut()
      .then(({ signOut }) => signOut(() => window.location.reload(), scope))
      .catch((error: unknown) => {
        console.error(error)
        setIsLeaving(false)
        window.alert(
          translate({
            id: 'sekisho.session.signOutFailed',
            message: 'ログアウトできませんでした。接続を確認して、もう一度お試しください。',
          }),
        )
      })
  }
  const account = (
    <>
      {email === person ? null : <p className="sekisho-session__email">{email}</p>}
      <Suspense fallback={null}>
        <AccountSessions isLeaving={isLeaving} onLeaveEverywhere={() => leave('everywhere')} />
      </Suspense>
    </>
  )
  return (
    <>
      {process.env.SEKISHO_ASKS ? <OpenItems /> : null}
      {mobile ? (
        <span className="sekisho-session__person">{person}</span>
      ) : (
        <button
          type="button"
          className="clean-btn sekisho-session__person"
          title={person}
          popoverTarget={panel}
        >
          {person}
        </button>
      )}
      <button
        type="button"
        className="button button--outline button--primary button--sm sekisho-session__leave"
        disabled={isLeaving}
        onClick={() => leave('here')}
      >
        {translate({ id: 'sekisho.session.signOut', message: 'ログアウト' })}
      </button>
      {mobile ? <FoldedAccount>{account}</FoldedAccount> : <AccountPanel id={panel}>{account}</AccountPanel>}
    </>
  )
}

/** Number of pages to acknowledge, as the gate told with this document; leads to their list. */
function OpenItems(): ReactNode {
  const count = countOpen()
  return count === '0' ? null : (
    <a
      className="button button--secondary button--sm"
      href={`${PATHS.account}#acknowledgements`}
      title={translate({ id: 'sekisho.session.openPages', message: '確認が必要なページ' })}
    >
      {translate({ id: 'sekisho.session.openItems', message: '未確認 {count}' }, { count })}
    </a>
  )
}

/** Opened by the button that names its id. */
function AccountPanel({ id, children }: { readonly id: string; readonly children: ReactNode }): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div
      id={id}
      className="sekisho-session__panel"
      popover="auto"
      onToggle={(event) => setIsOpen(event.newState === 'open')}
    >
      {isOpen && children}
    </div>
  )
}

/** A phone has little room: the sessions are listed, and asked for, when the reader wants to see them. */
function FoldedAccount({ children }: { readonly children: ReactNode }): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="sekisho-session__account" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {translate({ id: 'sekisho.session.account', message: 'アカウントとログイン中の端末' })}
      </summary>
      {isOpen && children}
    </details>
  )
}

/**
 * A script that stands behind the place of the reader's name and writes it there while the page is still being read: on a
 * slow line the rest comes seconds later. Empty in the browser, where React finds it done. The rules are `readReaderCookie`'s.
 */
const SHOW_READER =
  typeof window === 'undefined'
    ? `(function(place){try{
var name=location.protocol=="https:"?"${cookieNames(true).reader}=":"${cookieNames(false).reader}="
var own=document.cookie.split("; ").filter(function(pair){return pair.indexOf(name)==0})
if(own.length!=1)return
var bytes=Uint8Array.from(atob(own[0].slice(name.length).replace(/-/g,"+").replace(/_/g,"/")),function(c){return c.charCodeAt(0)})
var reader=JSON.parse(new TextDecoder().decode(bytes))
place.textContent=reader.name||reader.email
place.removeAttribute("aria-label")
}catch(e){}})(document.currentScript.previousElementSibling)`
    : ''
