import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createMessages, type MessageOrText } from '@sekisho/contract/language'
import { type Site, SiteError } from '../../site/find-site.ts'
import { TEXTS } from '../../texts/index.ts'
import type { Finding } from './compatibility.ts'
import type { SiteFacts } from './files.ts'

/** Facts read from a site's config. */
export interface SiteConfig extends SiteFacts {
  /** Names of its themes, without their options. */
  readonly themes: readonly string[]
  /** Verdict on each entry. */
  readonly findings: readonly Finding[]
}

/** Message of the process that reads a config. */
export type ConfigAnswer = SiteConfig | ConfigProblem

/** A problem by its code among the texts, with its value. */
interface ConfigProblem {
  readonly problem: keyof typeof PROBLEMS
  readonly value: string
}

const messageOf = createMessages(TEXTS, 'init')
const buildMessageOf = createMessages(TEXTS, 'build')

const PROBLEMS = {
  /** In the words of the config, or of what it imports. */
  config_failed: (problem: string): MessageOrText => problem,
  no_config: (file: string) => messageOf('no_config', file),
  not_installed: (dir: string) => buildMessageOf('not_installed', dir),
}

/**
 * Loads a site's config as it is now, with the loader that Docusaurus itself uses: JavaScript or TypeScript, object or function. In a
 * process of its own, so that nothing of an earlier reading is left. Rejects with {@link SiteError}.
 */
export async function loadConfig({ dir, configFile }: Site): Promise<SiteConfig> {
  const script = fileURLToPath(new URL('./config-process.ts', import.meta.url))
  const child = fork(script, [dir, configFile], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(([code, signal]): never => {
    throw new SiteError(messageOf('config_unread', configFile, String(signal ?? code)))
  })
  const [answer] = await Promise.race([readAnswer(child), ended])
  if ('problem' in answer) throw new SiteError(PROBLEMS[answer.problem](answer.value))
  return answer
}

/**
 * Findings on a site's config, for messages of a build: none where the config cannot be read, since that must not fail a finished build.
 */
export function findListed(site: Site): Promise<readonly Finding[]> {
  return loadConfig(site).then(
    ({ findings }) => findings,
    () => [],
  )
}

/** The process is ours: what it sends is what its code says. */
async function readAnswer(child: ReturnType<typeof fork>): Promise<[ConfigAnswer]> {
  const [message] = await once(child, 'message')
  return [message]
}
