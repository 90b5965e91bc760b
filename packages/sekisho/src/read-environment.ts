import { readFileSync } from 'node:fs'
import { type GateConfig, type Mode, readConfig } from '@sekisho/gate'
import type { CommandIo } from './command.ts'

/** Reads the configuration of this process; in local mode the local service says whom it can sign in. */
export async function readEnvironment(mode: Mode, { env }: CommandIo): Promise<GateConfig> {
  const readFile = (path: string) => readFileSync(path, 'utf8')
  if (mode === 'production') return readConfig(env, { mode, readFile })
  const { LOCAL_DOMAIN } = await import('@sekisho/local-identity')
  return readConfig(env, { mode, readFile, localDomains: [LOCAL_DOMAIN] })
}
