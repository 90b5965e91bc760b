import { readFileSync, watchFile } from 'node:fs'

/** What is used of the development server. */
interface DevServer {
  readonly webSocketServer?: { readonly clients: readonly object[] }
  sendMessage(clients: readonly object[], type: 'warnings', list: readonly object[], rest: object): void
}

const LOOK_EVERY_MS = 1_000

/**
 * Has the development server show over the page what a build in the background has found wrong with the site, and what
 * Docusaurus only warns of in the terminal. As warnings, and not of the bundler's: those would be printed at each edit, and
 * errors would keep every other edit from the page.
 * @param file a list of sentences, as JSON, that is written anew after each build
 * @returns what it adds to the `devServer` of the bundler's configuration
 */
export function problemsOnPages(file: string) {
  return {
    client: { overlay: { errors: true, warnings: true } },
    onListening(server: DevServer) {
      watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, () => {
        const list = readProblems(file)
        const clients = server.webSocketServer?.clients ?? []
        server.sendMessage(clients, 'warnings', list, { params: { preventReloading: true } })
      })
    },
  }
}

function readProblems(file: string): { message: string }[] {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return Array.isArray(list) ? list.map((message) => ({ message: String(message) })) : []
}
