const UNRELEASED = '## Unreleased\n'

/**
 * Moves the notes of `## Unreleased` to a version's section.
 * @returns null where there are no notes
 */
export function closeSection(changelog: string, version: string, day: string): string | null {
  if (sectionOf(changelog, 'Unreleased') === null) return null
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${day})\n`)
}

/** Notes below the heading of a version; null if there are none. */
export function sectionOf(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split(/[ \n]/, 1)[0] === version)
  const notes = section?.slice(section.indexOf('\n')).trim()
  return notes ? notes : null
}
