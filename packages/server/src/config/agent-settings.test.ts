import { expect, it } from 'vitest'
import { readAgentSettings } from './agent-settings.ts'
import { type Environment, SettingsReader } from './settings.ts'

function read(env: Environment) {
  const settings = new SettingsReader(env)
  return { agents: readAgentSettings(settings), problems: settings.problems.length }
}

it('lets agents ask unless they are turned off', () => {
  const rules = { own: new Map(), allowed: null }
  expect(read({})).toEqual({ agents: { rules, hasPersonalTokens: true }, problems: 0 })
  expect(read({ SEKISHO_AGENTS: 'off' })).toEqual({ agents: null, problems: 0 })
  expect(read({ SEKISHO_PERSONAL_TOKENS: 'off' }).agents?.hasPersonalTokens).toBe(false)
})

it('knows clients of the operator’s own, with each of their addresses, and who may ask', () => {
  const { agents, problems } = read({
    SEKISHO_AGENT_CLIENTS:
      'gemini=http://localhost:7777/oauth/callback,x=https://a.test/cb?b=c,gemini=https://b.test/',
    SEKISHO_AGENT_ALLOW: 'claude.ai, https://vscode.dev/oauth/client-metadata.json, registered',
  })
  expect(problems).toBe(0)
  expect(agents?.rules.own).toEqual(
    new Map([
      ['gemini', ['http://localhost:7777/oauth/callback', 'https://b.test/']],
      ['x', ['https://a.test/cb?b=c']],
    ]),
  )
  const allowed = ['claude.ai', 'https://vscode.dev/oauth/client-metadata.json', 'registered']
  expect(agents?.rules.allowed).toEqual(new Set(allowed))
})

it.each<[Environment]>([
  [{ SEKISHO_AGENTS: 'yes' }],
  [{ SEKISHO_PERSONAL_TOKENS: '0' }],
  [{ SEKISHO_AGENT_CLIENTS: 'gemini' }],
  [{ SEKISHO_AGENT_CLIENTS: 'gemini=http://10.0.0.1/cb' }],
  [{ SEKISHO_AGENT_CLIENTS: 'a b=https://a.test/' }],
  [{ SEKISHO_AGENT_CLIENTS: 'x=javascript:alert(1)' }],
  [{ SEKISHO_AGENT_ALLOW: 'https://Claude.ai/a' }],
  [{ SEKISHO_AGENT_ALLOW: '*' }],
])('reports %o', (env) => expect(read(env).problems).toBe(1))
