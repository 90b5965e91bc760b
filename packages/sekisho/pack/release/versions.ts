/** A version of ours in a `package.json`: its own, or that of another package of this repository. */
const OWN_VERSION = /("version"|"@sekisho\/[\w-]+"): "[^"]+"/g

/** Sets our version in the text of a `package.json`; dependencies of others keep theirs. */
export function setPackageVersion(text: string, version: string): string {
  return text.replace(OWN_VERSION, `$1: "${version}"`)
}

interface Entry {
  version?: string
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

/** Sets our version in the text of the root lockfile. */
export function setLockedVersion(text: string, version: string): string {
  const lock: { version: string; packages: Record<string, Entry> } = JSON.parse(text)
  lock.version = version
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path.includes('node_modules/')) continue
    entry.version = version
    for (const needed of [entry.dependencies, entry.devDependencies])
      for (const name of Object.keys(needed ?? {}))
        if (needed !== undefined && name.startsWith('@sekisho/')) needed[name] = version
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** A version of Semantic Versioning, with a pre-release or without; no build metadata. */
export const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/

const NUMERIC = new Intl.Collator('en', { numeric: true })

/** Orders versions: negative where the first comes before the second; a pre-release comes before its version. */
export function compareVersions(first: string, second: string): number {
  const [[core, pre], [otherCore, otherPre]] = [cut(first), cut(second)]
  const byCore = NUMERIC.compare(core, otherCore)
  if (byCore !== 0) return byCore
  return Number(pre === '') - Number(otherPre === '') || NUMERIC.compare(pre, otherPre)
}

function cut(version: string): readonly [core: string, pre: string] {
  const at = version.indexOf('-')
  return at < 0 ? [version, ''] : [version.slice(0, at), version.slice(at + 1)]
}
