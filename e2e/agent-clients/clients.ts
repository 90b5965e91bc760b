import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A released client, and how its own commands sign in and read without a model. */
export interface ReleasedClient {
  readonly name: string
  readonly package: string
  /** Writes what the client is told about the portal, in its home folder. */
  configure(home: string, url: string): Promise<void>
  /** Command that signs in; it prints or opens the address of the consent page. */
  signIn(url: string): readonly string[]
  readonly isSignedIn: RegExp
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
]
