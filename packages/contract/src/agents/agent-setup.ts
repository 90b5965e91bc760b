/** The name that agents know a portal by: its host's first label, which is unlike that of another server of docs. */
function agentServerName({ hostname }: URL): string {
  const [label = ''] = hostname.toLowerCase().split('.')
  return /^[a-z][a-z0-9-]*$/.test(label) ? label : 'docs'
}

const mcpOf = ({ origin }: URL): string => `${origin}/mcp`

/** Setup of each agent that has a command or link for adding a portal. */
export function agentSetup(origin: URL) {
  const name = agentServerName(origin)
  const url = mcpOf(origin)
  const config = btoa(JSON.stringify({ url }))
  return {
    name,
    url,
    claudeCode: `claude mcp add --transport http ${name} ${url}`,
    codex: `codex mcp add ${name} --url ${url}`,
    gemini: `gemini mcp add --transport http ${name} ${url}`,
    /** Links that the programs themselves open. */
    cursorLink: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(config)}`,
    vsCodeLink: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`,
  } as const
}
