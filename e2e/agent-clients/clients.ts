import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PAGES_SHOWN } from './model.ts'

/** A released client, and how its own commands sign in and read, with a stand-in for its model where they need one. */
export interface ReleasedClient {
  readonly name: string
  readonly package: string
  /** Install script of the package, which npm runs by itself only where its user allows that. */
  readonly installScript?: string
  /** Writes what the client is told about the portal and its model, in its home folder. */
  configure(home: string, url: string, model: string): Promise<void>
  /** Variables of its environment. */
  env?(model: string): Readonly<Record<string, string>>
  /** Command that signs in; it prints or opens the address of the consent page. */
  signIn(url: string): readonly string[]
  readonly isSignedIn: RegExp
  /** What is typed there; the Enter key also answers its question before it opens the browser. */
  readonly types?: string
  /** Command that forgets what is kept: of a client that asks on a terminal before it signs in once more. */
  readonly signOut?: readonly string[]
  /** Command that asks the portal with what the client keeps, and its output with access. */
  readonly use: { command(url: string): readonly string[]; readonly shows: RegExp }
}

const NOTHING = async () => {}
const askModel = (command: string): ReleasedClient['use'] => ({
  command: () => ['sh', '-c', `exec ${command} 'Which pages does the portal have?' </dev/null`],
  shows: new RegExp(PAGES_SHOWN),
})

/** Clients that need no account of a model's provider. */
export const CLIENTS: readonly ReleasedClient[] = [
  {
    name: 'mcp-remote',
    package: 'mcp-remote@0.15.1',
    configure: NOTHING,
    signIn: (url) => ['mcp-remote-client', url],
    isSignedIn: /Connected successfully/,
    use: { command: (url) => ['mcp-remote-client', url], shows: /"name": "search"/ },
  },
  {
    name: 'codex',
    package: '@openai/codex@0.171.0',
    async configure(home, url, model) {
      await mkdir(path.join(home, '.codex'))
      await writeFile(
        path.join(home, '.codex', 'config.toml'),
        `mcp_oauth_credentials_store = "file"\nmodel = "stand-in"\nmodel_provider = "stand-in"
[model_providers.stand-in]\nname = "stand-in"\nbase_url = "${model}/v1"\nwire_api = "responses"
[mcp_servers.portal]\nurl = "${url}"\n`,
      )
    },
    signIn: () => ['codex', 'mcp', 'login', 'portal'],
    isSignedIn: /Successfully logged in/i,
    use: askModel('codex exec --skip-git-repo-check'),
  },
  {
    name: 'mcporter',
    package: 'mcporter@0.12.3',
    async configure(home, url) {
      await mkdir(path.join(home, 'config'))
      const servers = { mcpServers: { portal: { url, auth: 'oauth' } } }
      await writeFile(path.join(home, 'config', 'mcporter.json'), JSON.stringify(servers))
    },
    signIn: () => ['mcporter', '--log-level', 'info', 'auth', 'portal'], // it says nothing at its own level
    isSignedIn: /Authorization complete\. \d+ tools/,
    use: { command: () => ['mcporter', 'call', 'portal.list', 'path=/'], shows: /"results": \[\s*\{/ },
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
    installScript: 'opencode-ai/postinstall.mjs',
    async configure(home, url) {
      const config = { mcp: { portal: { type: 'remote', url, enabled: true } } }
      await writeFile(path.join(home, 'opencode.json'), JSON.stringify(config))
    },
    signIn: () => ['opencode', 'mcp', 'auth', 'portal'],
    isSignedIn: /Authentication successful/i,
    signOut: ['opencode', 'mcp', 'logout', 'portal'],
    use: { command: () => ['opencode', 'mcp', 'list'], shows: /portal\s+connected/ },
  },
  {
    name: 'inspector',
    package: '@modelcontextprotocol/inspector@2.12.0',
    configure: NOTHING,
    env: () => ({ MCP_INSPECTOR_SECRET_STORE: 'file' }),
    signIn: (url) => ['mcp-inspector', '--cli', '--server-url', url, '--method', 'tools/list'],
    isSignedIn: /"name": "search"/,
    use: {
      command: (url) => [
        ...['mcp-inspector', '--cli', '--stored-auth-only', '--server-url', url],
        ...['--method', 'tools/call', '--tool-name', 'list', '--tool-arg', 'path=/'],
      ],
      shows: /\\"results\\":/,
    },
  },
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code@2.1.332',
    installScript: '@anthropic-ai/claude-code/install.cjs',
    async configure(home, url) {
      const config = { mcpServers: { portal: { type: 'http', url } } }
      await writeFile(path.join(home, '.claude.json'), JSON.stringify(config))
    },
    env: (model) => ({
      ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: 'stand-in', ENABLE_TOOL_SEARCH: 'false' },
      ...{ DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    }),
    signIn: () => ['claude', 'mcp', 'login', 'portal'],
    isSignedIn: /Authenticated with "portal"/,
    use: askModel('claude -p --allowedTools mcp__portal --'),
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli@0.61.0',
    async configure(home, url) {
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { portal: { type: 'http', url, trust: true } },
      }
      await mkdir(path.join(home, '.gemini'))
      await writeFile(path.join(home, '.gemini', 'settings.json'), JSON.stringify(settings))
    },
    env: (model) => ({ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'stand-in' }),
    signIn: () => ['gemini', '--skip-trust', '-m', 'gemini-2.5-flash'],
    types: '/mcp auth portal',
    isSignedIn: /Successfully authenticated and reloaded tools/,
    use: askModel('gemini --skip-trust -m gemini-2.5-flash -p'),
  },
]
