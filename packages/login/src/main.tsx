import { forgetReader, SESSION_CHANNEL, type SessionMessage } from '@sekisho/contract/browser-storage'
import {
  LOGIN_CONFIG_ID,
  type LoginConfig,
  type LoginKind,
  type LoginProvider,
  readLoginConfig,
} from '@sekisho/contract/login-page'
import { type EndReason, readEndReason } from '@sekisho/contract/session-response'
import { createRoot, type Root } from 'react-dom/client'
import { LoadingPage } from './components/loading-page.tsx'
import { BrokenPage, LoginPage, type Offer, type StartedOffer } from './components/login-page.tsx'
import { PROVIDER_LOGOS } from './components/provider-logos.tsx'
import type { FlowKind } from './sign-in/flow.ts'
import { createStateStore, type StateStore } from './sign-in/state-store.ts'
import { applyColourMode } from './theme/colour-mode.ts'
import 'virtual:gate-colours.css'
import './styles/index.css'

interface LoadedOffer extends Offer {
  readonly provider: LoginProvider
  readonly kind: FlowKind
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const tabs = joinTabs(() => location.reload())
const log = (text: string, error: unknown): void => console.error(`${text}:`, error)

/** The flow of each kind is a file of its own, so that no page brings what it does not offer. */
const FLOWS: Readonly<Record<LoginKind, () => Promise<FlowKind>>> = {
  firebase: async () => (await import('./firebase/flow.ts')).firebase,
  redirect: async () => (await import('./redirect/flow.ts')).redirect,
}

async function loadOffer(provider: LoginProvider, { lang }: LoginConfig): Promise<LoadedOffer> {
  const kind = await FLOWS[provider.kind]()
  const { label } = provider
  return { provider, kind, label, text: kind.button(label, lang), Logo: PROVIDER_LOGOS.get(label) }
}

/** Starts every provider; rejects when the settings of one cannot work. */
async function startFlows(
  offers: readonly LoadedOffer[],
  { sessionEndpoint }: LoginConfig,
  store: StateStore,
): Promise<readonly StartedOffer[]> {
  const onAdmitted = () => {
    tabs.announceSignIn()
    location.reload()
  }
  const alert = (text: string) => window.alert(text)
  const started = offers.map(async ({ provider, kind, ...offer }) => {
    const context = { provider, sessionEndpoint, store, onAdmitted, alert, log, wait }
    return { ...offer, flow: await kind.createFlow(context) }
  })
  const flows = await Promise.all(started)
  if (flows.length === 0) throw new Error('there is no way to sign in')
  for (const { flow } of flows) flow.start()
  return flows
}

/** This page means that there is no session: whatever ended it, the reader's history is removed from the device. */
function forgetDeviceMemory(): void {
  try {
    forgetReader(localStorage)
  } catch {
    // Without storage there is nothing to remove.
  }
}

async function run(root: Root, config: LoginConfig): Promise<void> {
  const { site } = config
  root.render(<LoadingPage site={site} />)
  const reason = askEndReason(fetch, config.sessionEndpoint)
  const offers = await Promise.all(config.providers.map((provider) => loadOffer(provider, config)))
  try {
    const store = createStateStore(offers.length)
    const started = await startFlows(offers, config, store)
    const show = (endReason: EndReason | null) =>
      root.render(<LoginPage site={site} store={store} offers={started} endReason={endReason} />)
    show(null)
    const endReason = await reason
    show(endReason)
    // An hour is all that an account lasts which nobody can prove again: its provider may still know the reader.
    if (endReason === 'unproven' && started.length === 1) void started[0]?.flow.signInSilently?.()
  } catch (error) {
    log('The identity service is not configured correctly', error)
    root.render(<BrokenPage site={site} offers={offers} />)
  }
}

applyColourMode()
forgetDeviceMemory()
const container = document.getElementById('root')
const settings = document.getElementById(LOGIN_CONFIG_ID)?.textContent
if (container === null || settings == null) throw new Error('The page around the login script is incomplete')
void run(createRoot(container), readLoginConfig(settings))

/** Reads why this browser's last session ended. Null without one, after a sign-out, and without a response. */
async function askEndReason(fetcher: typeof fetch, endpoint: string): Promise<EndReason | null> {
  try {
    const response = await fetcher(endpoint, { credentials: 'same-origin', cache: 'no-store' })
    return response.status === 401 ? readEndReason(await response.json()) : null
  } catch {
    return null
  }
}

/** The reader's other tabs of this portal; its pages announce signing out on the same channel. */
interface Tabs {
  /** Tells other tabs that the reader has signed in. */
  announceSignIn(): void
}

/**
 * Reloads into the page that was asked for once another tab signs in, or when this page comes back from
 * history. One channel object for both directions: an object never hears itself.
 */
function joinTabs(reload: () => void): Tabs {
  const channel = new BroadcastChannel(SESSION_CHANNEL)
  channel.addEventListener('message', ({ data }) => {
    if (data?.type === 'signed-in') reload()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reload()
  })
  return { announceSignIn: () => channel.postMessage({ type: 'signed-in' } satisfies SessionMessage) }
}
