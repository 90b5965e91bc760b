import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Peer } from './peer.ts'

const require = createRequire(new URL('./reference/package.json', import.meta.url))

export function isReferenceInstalled(): boolean {
  try {
    require.resolve('firebase-tools/package.json')
    return true
  } catch {
    return false
  }
}

/** The paths the comparison asks; compiling the whole description of the API takes eight seconds. */
const USED_PATHS =
  /^\/v1\/(?:accounts:(?:lookup|signInWithIdp)|token|projects\/\{targetProjectId\}\/accounts:(?:delete|update))$/

/** The official Auth emulator, on a loopback port. Its modules are no public interface, hence the exact version. */
export async function startReference(projectId: string): Promise<Peer & Disposable> {
  const {
    default: spec,
  }: { default: { paths: Record<string, unknown> } } = require('firebase-tools/lib/emulator/auth/apiSpec')
  for (const path of Object.keys(spec.paths)) if (!USED_PATHS.test(path)) delete spec.paths[path]
  const { createApp } = require('firebase-tools/lib/emulator/auth/server')
  const server = createServer(await createApp(projectId)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const ask: Peer['ask'] = ({ path, ...init }) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return {
    ask,
    directory: administrator(ask, projectId),
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The emulator takes the word `owner` for an administrator. */
function administrator(ask: Peer['ask'], projectId: string): Peer['directory'] {
  const post = async (action: string, body: object): Promise<void> => {
    const answer = await ask({
      method: 'POST',
      path: `/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:${action}`,
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status !== 200) throw new Error(`accounts:${action} answered ${answer.status}`)
  }
  return {
    disable: (localId) => post('update', { localId, disableUser: true }),
    remove: (localId) => post('delete', { localId }),
  }
}
