import type { en } from '../en/index.ts'
import { access } from './access.ts'
import { acknowledgements } from './acknowledgements.ts'
import { build, editions } from './build.ts'
import { check } from './check.ts'
import { command } from './command.ts'
import { demo, demoPages } from './demo.ts'
import { init, initNotes } from './init.ts'
import { manual } from './manual.ts'
import { publishing } from './publishing.ts'
import { reports } from './reports.ts'
import { serve } from './serve.ts'
import { agents, agentsIndex, site } from './site.ts'
import { state } from './state.ts'
import { verify } from './verify.ts'

/** Japanese texts of the command line. */
export const ja: typeof en = {
  build,
  editions,
  site,
  init,
  initNotes,
  state,
  command,
  publishing,
  access,
  acknowledgements,
  manual,
  serve,
  reports,
  verify,
  check,
  demo,
  demoPages,
  agents,
  agentsIndex,
  /** Page for missing addresses in a folder without its own. */
  notFoundPage: { title: 'ページが見つかりません', back: 'トップページへ' },
  findings: {
    in_file: (file, problem) => `${file}: ${problem}`,
    policy_broken: '直すまで、ゲートは起動しても誰もログインできません。',
    policy_unreadable: (file) => `SEKISHO_POLICY_FILE が示す ${file} を読めません。`,
    newest_release_refused: (reason) => `最新のリリースを配信できません: ${reason}`,
    no_release: 'リリースがまだありません。sekisho build を実行してください。',
    no_release_in: (place) => `${place} に配信するリリースがありません。sekisho build を実行してください。`,
    broken_release: (reason) => `リリースを読めません: ${reason}`,
  },
}
