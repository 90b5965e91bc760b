import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A released client, and how its own commands sign in and read without a model. */
export interface ReleasedClient {
  readonly name: string
  readonly package: string
  /** Install script of the package, which npm runs by itself only where its user allows that. */
  readonly installScript?: string
  /** Writes what the client is told about the portal, in its home folder. */
  configure(home: string, url: string): Promise<void>
  /** Command that signs in; it prints or opens the address of the consent page. */
  signIn(url: string): readonly string[]
  readonly isSignedIn: RegExp
  /** Command that forgets what is kept: of a client that asks on a terminal before it signs in once more. */
  readonly signOut?: readonly string[]
  /** Command that asks the portal with what the client keeps, and its output with access; null for one that asks with a model alone. */
  readonly use: { command(url: string): readonly string[]; readonly shows: RegExp } | null
}

const NOTHING = async () => {}

/** Clients whose commands need no account of a model's provider. */
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
    async configure(home, url) {
      await mkdir(path.join(home, '.codex'))
      await writeFile(
        path.join(home, '.codex', 'config.toml'),
        `mcp_oauth_credentials_store = "file"\n[mcp_servers.portal]\nurl = "${url}"\n`,
      )
    },
    signIn: () => ['codex', 'mcp', 'login', 'portal'],
    isSignedIn: /Successfully logged in/i,
    use: null,
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
]
