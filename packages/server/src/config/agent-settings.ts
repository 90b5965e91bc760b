import { type ClientRules, REGISTERED } from '../agents/sign-in/client-rules.ts'
import { readRedirectUri } from '../agents/sign-in/redirect-uris.ts'
import { problemOf } from '../texts/index.ts'
import type { SettingsReader } from './settings.ts'

/** Permissions of agents. */
export interface AgentConfig {
  readonly rules: ClientRules
  /** Readers may create personal tokens for scripts. */
  readonly hasPersonalTokens: boolean
}

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/
const OWN_ID = /^[A-Za-z0-9._-]{1,64}$/

/** Reads the settings about agents; null where they are turned off. */
export function readAgentSettings(settings: SettingsReader): AgentConfig | null {
  const own = readOwnClients(settings)
  const allowed = readAllowed(settings)
  const hasPersonalTokens = settings.isOn('SEKISHO_PERSONAL_TOKENS')
  return settings.isOn('SEKISHO_AGENTS') ? { rules: { own, allowed }, hasPersonalTokens } : null
}

function readOwnClients(settings: SettingsReader): ReadonlyMap<string, readonly string[]> {
  const clients = new Map<string, readonly string[]>()
  for (const entry of settings.list('SEKISHO_AGENT_CLIENTS')) {
    const [id = '', ...rest] = entry.split('=')
    const redirect = rest.join('=')
    if (OWN_ID.test(id) && readRedirectUri(redirect) !== null)
      clients.set(id, [...(clients.get(id) ?? []), redirect])
    else settings.problems.push(problemOf('bad_agent_client', JSON.stringify(entry)))
  }
  return clients
}

function readAllowed(settings: SettingsReader): ReadonlySet<string> | null {
  const entries = settings.list('SEKISHO_AGENT_ALLOW')
  for (const entry of entries) {
    if (entry !== REGISTERED && !HOST.test(entry) && URL.parse(entry)?.href !== entry)
      settings.problems.push(problemOf('bad_agent_allowed', JSON.stringify(entry)))
  }
  return entries.length === 0 ? null : new Set(entries)
}
