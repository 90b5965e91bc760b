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

/** English texts of the command line; the other languages have the same codes and values. */
export const en = {
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
  notFoundPage: { title: 'Page not found', back: 'To the first page' },
  findings: {
    in_file: (file: string, problem: string) => `${file}: ${problem}`,
    policy_broken: 'until this is fixed, the gate starts but admits no reader',
    policy_unreadable: (file: string) => `SEKISHO_POLICY_FILE cannot be read: ${file}`,
    newest_release_refused: (reason: string) => `the newest release is refused: ${reason}`,
    no_release: 'there is no release yet: run sekisho build',
    no_release_in: (place: string) => `no release in ${place} is current: run sekisho build`,
    broken_release: (reason: string) => `the release: ${reason}`,
  },
}
