export const agents = {
  agents_md_help: (
    dataDir: string,
  ) => `Usage: sekisho agents-md [--origin URL] [--below PATH] [--data-dir DIR]

Prints a short index (8 KB at most) for the AGENTS.md of code repositories: what is here, when to ask, and the line that connects an agent.
It names pages of the edition that everybody reads, and no others.

  --origin URL    the portal's address (default: SEKISHO_ORIGIN)
  --below PATH    only what is below this path, as in /docs/payments/
${dataDir}
  --help          show this text`,
  no_origin: 'Name the portal with --origin or SEKISHO_ORIGIN, as in https://docs.example.co.jp',
  no_edition: 'No edition is for everybody',
  nothing_below: (path: string) => `There is no page below ${path}; name another path with --below`,
}

/** What the index says to agents, in the language of its site. */
export const agentsIndex = {
  when: (name: string) =>
    `Our procedures, rules, reasons of designs and ways of operating are written here. Before guessing, search the MCP server \`${name}\` for two or three words and fetch what it finds.`,
  connect: 'Where it is not connected',
  tools: 'list shows what there is. It reads what whoever signed in may read.',
  pages: 'Pages',
}
