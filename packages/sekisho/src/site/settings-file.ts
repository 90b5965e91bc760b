import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { findSite, SiteError } from './find-site.ts'

/** The file of settings that `sekisho init` writes; what the environment says goes before it. */
export const SETTINGS_FILE = 'sekisho.env'

/** Settings of the file that apply to a local gate: the rest names the real origin and project. */
const LOCAL_TOO = [
  'SEKISHO_TITLE',
  'SEKISHO_TAGLINE',
  'SEKISHO_LOGIN_LANG',
  'SEKISHO_TIME_ZONE',
  'SEKISHO_CSP_ALLOW',
  'SEKISHO_GRANTS', // its earlier name
]

type Environment = Readonly<Record<string, string | undefined>>

/** Working folder and environment of a command. */
interface Place {
  readonly env: Environment
  readonly cwd: string
}

/** The environment with the settings of the site's file, or of the working folder's, where there is no site. */
export function withSettingsFile({ env, cwd }: Place): Environment {
  return { ...readSettingsFile(cwd), ...env }
}

/** The environment of a gate on this machine. */
export function withLocalSettings({ env, cwd }: Place): Environment {
  const settings = Object.entries(readSettingsFile(cwd)).filter(([name]) => LOCAL_TOO.includes(name))
  return { ...Object.fromEntries(settings), ...env }
}

function readSettingsFile(cwd: string): Environment {
  try {
    const text = readFileSync(join(findFolder(cwd), SETTINGS_FILE), 'utf8')
    return parseEnv(text.replace(/^\uFEFF/, '')) // else its first setting would have another name
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

function findFolder(cwd: string): string {
  try {
    return findSite(cwd).dir
  } catch (error) {
    if (error instanceof SiteError) return cwd
    throw error
  }
}
