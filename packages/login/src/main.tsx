import { forgetReader } from '@sekisho/contract/browser-storage'
import { isUsable, LOGIN_CONFIG_ID, type LoginConfig, readLoginConfig } from '@sekisho/contract/login-page'
import type { EndReason } from '@sekisho/contract/session-answer'
import { createRoot, type Root } from 'react-dom/client'
import { LoadingPage } from './components/loading-page.tsx'
import { BrokenPage, LoginPage } from './components/login-page.tsx'
import { createIdentityService } from './identity/identity-service.ts'
import { askEndReason } from './session/ask-end-reason.ts'
import { openSession } from './session/open-session.ts'
import { createSignIn, type SignIn } from './sign-in/sign-in.ts'
import { joinTabs } from './tabs.ts'
import { applyColourMode } from './theme/colour-mode.ts'
import './styles/index.css'

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const tabs = joinTabs(() => location.reload())
const log = (text: string, error: unknown): void => console.error(`${text}:`, error)

/** Invalid settings show the configuration-error box, as does anything thrown here. */
async function startSignIn(config: LoginConfig): Promise<SignIn> {
  if (config.configError || !isUsable(config.firebase)) {
    throw new Error('apiKey, authDomain or projectId is missing or not a real value')
  }
  const signIn = createSignIn({
    identity: await createIdentityService(config.firebase, config.local),
    openSession: (tokens) => openSession(fetch, config.sessionEndpoint, tokens),
    onAdmitted: () => {
      tabs.announceSignIn()
      location.reload()
    },
    alert: (text) => window.alert(text),
    log,
    wait,
  })
  signIn.start()
  return signIn
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
  root.render(<LoadingPage site={config.site} />)
  try {
    const reason = askEndReason(fetch, config.sessionEndpoint)
    const signIn = await startSignIn(config)
    const show = (endReason: EndReason | null) =>
      root.render(<LoginPage site={config.site} signIn={signIn} endReason={endReason} />)
    show(null)
    show(await reason)
  } catch (error) {
    log('The identity service is not configured correctly', error)
    root.render(<BrokenPage site={config.site} />)
  }
}

applyColourMode()
forgetDeviceMemory()
const container = document.getElementById('root')
const settings = document.getElementById(LOGIN_CONFIG_ID)?.textContent
if (container === null || settings == null) throw new Error('The page around the login script is incomplete')
void run(createRoot(container), readLoginConfig(settings))
