/**
 * The published documents of clients that readers have, as of September 2026, by the address that is their id: a gate that reaches no other host knows them, and
 * what their vendors change later does not change who gets an answer here.
 */
export const KNOWN_CLIENTS: ReadonlyMap<
  string,
  { readonly name: string; readonly redirects: readonly string[] }
> = new Map([
  [
    'https://claude.ai/oauth/claude-code-client-metadata',
    { name: 'Claude Code', redirects: ['http://localhost/callback', 'http://127.0.0.1/callback'] },
  ],
  [
    'https://claude.ai/oauth/mcp-oauth-client-metadata',
    {
      name: 'Claude',
      redirects: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    },
  ],
  [
    'https://vscode.dev/oauth/client-metadata.json',
    { name: 'Visual Studio Code', redirects: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'] },
  ],
  [
    'https://chatgpt.com/oauth/codex/client.json',
    { name: 'Codex', redirects: ['http://127.0.0.1/callback', 'http://localhost/callback'] },
  ],
  [
    'https://chatgpt.com/oauth/client.json',
    { name: 'ChatGPT', redirects: ['https://chatgpt.com/connector_platform_oauth_redirect'] },
  ],
  [
    'https://opencode.ai/oauth/opencode/client.json',
    { name: 'opencode', redirects: ['http://127.0.0.1/callback', 'http://localhost/callback'] },
  ],
  [
    'https://goose-docs.ai/oauth/client-metadata.json',
    { name: 'Goose', redirects: ['http://localhost/oauth_callback'] },
  ],
  ['https://zed.dev/oauth/client-metadata.json', { name: 'Zed', redirects: ['http://127.0.0.1/callback'] }],
])

/** Hosts of those documents: unless the operator names others, no other host is asked for one. */
export const KNOWN_HOSTS: ReadonlySet<string> = new Set(
  [...KNOWN_CLIENTS.keys()].map((id) => new URL(id).host),
)
