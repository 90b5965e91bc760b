import type * as en from '../en/index.ts'

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
export const notFoundPage: typeof en.notFoundPage = {
  title: 'ページが見つかりません',
  back: 'トップページへ',
}

export const findings: typeof en.findings = {
  in_file: (file, problem) => `${file}: ${problem}`,
  policy_broken: '直すまで、ゲートは起動しても誰もログインできません。',
  policy_unreadable: (file) => `SEKISHO_POLICY_FILE が示す ${file} を読めません。`,
  newest_release_refused: (reason) => `最新のリリースを配信できません: ${reason}`,
  no_release: 'リリースがまだありません。sekisho build を実行してください。',
  no_release_in: (place) => `${place} に配信するリリースがありません。sekisho build を実行してください。`,
  broken_release: (reason) => `リリースを読めません: ${reason}`,
}
