import { join } from 'node:path'
import { ExplainedError } from '@sekisho/contract/explained-error'
import type { Message } from '@sekisho/contract/language'
import { settingProblemOf } from '@sekisho/contract/setting-problem'
import { problemOf } from '../texts/index.ts'
import { SETTINGS, type SettingRow } from './settings-table.ts'

type SettingName = keyof typeof SETTINGS | 'PORT'
type NamesWith<Row> = {
  [N in keyof typeof SETTINGS]: (typeof SETTINGS)[N] extends Row ? N : never
}[keyof typeof SETTINGS]
type DurationName = NamesWith<{ kind: 'duration'; fallback: string }>
type CountName = NamesWith<{ kind: 'count'; fallback: string }>
export type Environment = Readonly<Record<string, string | undefined>>

/** The operator's mistakes, all of them at once. */
export class ConfigError extends ExplainedError {
  override readonly name = 'ConfigError'
  readonly code = 'config_invalid'
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The text of a file; throws where there is none. */
export type ReadFile = (path: string) => string

/** Reads typed settings and collects what is wrong with them; a wrong one reads as its default. */
export class SettingsReader {
  readonly problems: Message[] = []
  readonly #env: Environment
  readonly #readFile: ReadFile

  /** @param readFile for those that name a file; without it none can be read */
  constructor(env: Environment, readFile: ReadFile = readNothing) {
    this.#env = env
    this.#readFile = readFile
    for (const name of Object.keys(env)) {
      const known = name.replace(/^SEKISHO_OIDC_[2-9]_/, 'SEKISHO_OIDC_')
      if (name.startsWith('SEKISHO_') && !(known in SETTINGS))
        this.problems.push(problemOf('unknown_setting', name))
    }
  }

  /** The trimmed text, or undefined when unset or empty. */
  text(name: SettingName): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  /** The same of a setting of a provider, of which there may be several. */
  named(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  /**
   * Reads the file that a setting names, trimmed; a bare name means a systemd credential, if there are any. Undefined where the setting is
   * unset or the file unreadable, which is a problem.
   */
  file(name: string): string | undefined {
    const path = this.named(name)
    if (path === undefined) return undefined
    const { CREDENTIALS_DIRECTORY: credentials } = this.#env // systemd's, for LoadCredential=
    try {
      const isCredential = credentials !== undefined && !path.includes('/')
      return this.#readFile(isCredential ? join(credentials, path) : path).trim()
    } catch {
      this.problems.push(problemOf('unreadable_file', name))
      return undefined
    }
  }

  /** Content of the file in setting `…_FILE`; without one, the setting itself. */
  secret(name: string): string | undefined {
    return this.named(`${name}_FILE`) === undefined ? this.named(name) : this.file(`${name}_FILE`)
  }

  list(name: SettingName): readonly string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  }

  port(name: SettingName): number | undefined {
    const value = this.text(name)
    if (value === undefined || (/^\d{1,5}$/.test(value) && Number(value) <= 65_535)) return readNumber(value)
    this.problems.push(problemOf('bad_port', name))
    return undefined
  }

  /** The text, or what the table has in its place. */
  textOrDefault(name: NamesWith<{ fallback: string }>): string {
    return this.text(name) ?? SETTINGS[name].fallback
  }

  /** One of some words; unless told otherwise the default is the table's. */
  choice<const Choice extends string>(
    name: NamesWith<{ fallback: string }>,
    choices: readonly [Choice, ...Choice[]],
    fallback: string = SETTINGS[name].fallback,
  ): Choice {
    const find = (text: string) => choices.find((one) => one === text)
    const found = find(this.text(name) ?? fallback)
    if (found === undefined) this.problems.push(settingProblemOf('not_one_of', name, choices))
    return found ?? find(fallback) ?? choices[0]
  }

  isOn(name: NamesWith<{ fallback: string }>): boolean {
    return this.choice(name, ['on', 'off']) === 'on'
  }

  /** A whole number within the bounds of its row. */
  count(name: CountName): number {
    const { fallback, min = 0, max }: SettingRow = SETTINGS[name]
    const value = this.text(name)
    if (value === undefined) return Number(fallback)
    const isWithin = /^\d{1,9}$/.test(value) && Number(value) >= Number(min) && Number(value) <= Number(max)
    if (isWithin) return Number(value)
    this.problems.push(problemOf('bad_count', name, Number(min), Number(max)))
    return Number(fallback)
  }

  /** Milliseconds of a duration such as `90s`, `5m`, `12h` or `7d`, within the bounds of its row. */
  duration(name: DurationName): number {
    const { fallback = '', min, max }: SettingRow = SETTINGS[name]
    const value = this.text(name)
    if (value === '0' && min === '0') return 0
    const ms = readDurationMs(value ?? fallback)
    if (ms === null) this.problems.push(problemOf('bad_duration', name))
    else if (min !== undefined && ms < (readDurationMs(String(min)) ?? 0))
      this.problems.push(problemOf('too_short', name, String(min)))
    else if (max !== undefined && ms > (readDurationMs(String(max)) ?? 0))
      this.problems.push(problemOf('duration_too_long', name, String(max)))
    else return ms
    return readDurationMs(fallback) ?? 0
  }
}

function readNothing(path: string): never {
  throw new RangeError(`nothing is read from ${path} here`)
}

/** Null for anything that is no duration, or none at all. */
function readDurationMs(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return Number(count) * (UNIT_MS[unit] ?? 0) || null
}

function readNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
