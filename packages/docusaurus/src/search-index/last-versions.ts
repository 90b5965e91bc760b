import type { LastVersions } from './read-page.ts'

/** Reads from what Docusaurus's docs plugins loaded which version readers get by default. */
export function lastVersionsOf(allContent: unknown): LastVersions {
  const instances = Object.entries(Object(field(allContent, 'docusaurus-plugin-content-docs')))
  const found = new Map<string, string>()
  for (const [id, content] of instances) {
    const versions = field(content, 'loadedVersions')
    const last = Array.isArray(versions)
      ? versions.find((version) => field(version, 'isLast') === true)
      : null
    const name = field(last, 'versionName')
    if (typeof name === 'string') found.set(id, name)
  }
  return found
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined
}
