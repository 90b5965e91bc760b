import { createRequire } from 'node:module'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'

/** The paths of the emulator's API description that sign-in and account keeping need. */
const USED_PATHS: ReadonlySet<string> = new Set([
  '/v1/accounts:signInWithIdp',
  '/v1/projects/{targetProjectId}/accounts:batchCreate',
  '/v1/projects/{targetProjectId}/accounts:batchGet',
  '/v1/projects/{targetProjectId}/accounts:delete',
  '/v1/projects/{targetProjectId}/accounts:lookup',
  '/v1/projects/{targetProjectId}/accounts:update',
  '/v1/token',
])

interface ApiSpec {
  readonly paths: Record<string, unknown>
}

/**
 * Starts the official Auth emulator in this process, without a port.
 *
 * Its modules are an unsupported deep import, hence the exactly pinned version. Compiling the whole API
 * description takes most of the start-up time (8 s against 1.5 s), so what is unused is dropped first.
 */
export async function createEmulator(projectId: string): Promise<Dispatcher> {
  const require = createRequire(import.meta.url)
  const { default: spec } = require('firebase-tools/lib/emulator/auth/apiSpec') as { default: ApiSpec }
  for (const path of Object.keys(spec.paths)) {
    if (!USED_PATHS.has(path)) delete spec.paths[path]
  }
  const { createApp } = require('firebase-tools/lib/emulator/auth/server') as {
    createApp(projectId: string): Promise<(request: unknown, response: unknown) => void>
  }
  return createDispatcher(await createApp(projectId))
}
