export * from './access.ts'
export * from './acknowledgements.ts'
export * from './build.ts'
export * from './check.ts'
export * from './command.ts'
export * from './demo.ts'
export * from './init.ts'
export * from './manual.ts'
export * from './publishing.ts'
export * from './reports.ts'
export * from './serve.ts'
export * from './site.ts'
export * from './state.ts'
export * from './verify.ts'

/** Page for missing addresses in a folder without its own. */
export const notFoundPage = { title: 'Page not found', back: 'To the first page' }

export const findings = {
  in_file: (file: string, problem: string) => `${file}: ${problem}`,
  policy_broken: 'until this is fixed, the gate starts but admits no reader',
  policy_unreadable: (file: string) => `SEKISHO_POLICY_FILE cannot be read: ${file}`,
  newest_release_refused: (reason: string) => `the newest release is refused: ${reason}`,
  no_release: 'there is no release yet: run sekisho build',
  no_release_in: (place: string) => `no release in ${place} is current: run sekisho build`,
  broken_release: (reason: string) => `the release: ${reason}`,
}
