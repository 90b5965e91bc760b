import { readFileSync } from 'node:fs'
import { type GateConfig, type Mode, readConfig } from '@sekisho/server/settings'
import { type CommandIo, readDataFolder } from './command.ts'
import { withLocalSettings, withSettingsFile } from './site/settings-file.ts'

/**
 * Reads the configuration of this process; in local mode the local service says whom it can sign in.
 * @param dataDir what `--data-dir` names
 */
export async function readEnvironment(mode: Mode, io: CommandIo, dataDir?: string): Promise<GateConfig> {
  const readFile = (path: string) => readFileSync(path, 'utf8')
  const { SEKISHO_LANG: _ofTheCommand, ...settings } =
    mode === 'local' ? withLocalSettings(io) : withSettingsFile(io)
  const env = { ...settings, SEKISHO_DATA_DIR: readDataFolder(dataDir, io).root }
  if (mode === 'production') return readConfig(env, { mode, readFile })
  const { LOCAL_DOMAIN } = await import('@sekisho/server/local-identity')
  return readConfig(env, { mode, readFile, localDomains: [LOCAL_DOMAIN] })
}
