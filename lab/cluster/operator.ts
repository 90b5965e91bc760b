import { isRecord } from '@sekisho/contract/json-shape'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { openStores } from '@sekisho/server/state'
import type { RunCommand } from '../../packages/sekisho/src/command.ts'
import type { Cluster } from './cluster.ts'
import type { Trail } from './judge.ts'

interface Ran {
  readonly code: number
  readonly said: readonly string[]
}

/** The state of a portal: in the database that the settings name, else in the folder. */
export type Kept = Pick<Cluster, 'operatorEnv' | 'folder'>

/** Runs a command as the operator, who owns the database. */
export async function runCommand(
  command: RunCommand,
  args: readonly string[],
  { operatorEnv, folder }: Kept,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const io = { env: { ...operatorEnv, SEKISHO_LANG: 'en', ...env }, cwd: folder }
  const code = await command(args, { ...io, clock: Date.now, print: say, complain: say })
  return { code, said }
}

/** The audit trail of all gates, line by line. */
export async function* readAuditLines({ operatorEnv, folder }: Kept) {
  await using stores = await openStores({
    databaseUrl: operatorEnv.SEKISHO_DATABASE_URL ?? null,
    folder: dataFolderAt(folder),
    secrets: null,
    context: null,
    onProblem: console.error,
    now: Date.now,
  })
  for (const chain of await stores.audit.listChains()) {
    for await (const { lines } of stores.audit.read(chain)) {
      for (const text of lines) {
        const line: unknown = JSON.parse(text)
        if (isRecord(line)) yield line
      }
    }
  }
}

/** Readers' actions according to the trail. */
export async function readTrail(cluster: Kept): Promise<Trail> {
  const readings = new Set<string>()
  const signIns = new Set<string>()
  for await (const line of readAuditLines(cluster)) {
    if (line.event === 'page_read') readings.add(`${line.email} ${line.path}`)
    if (line.event === 'signed_in') signIns.add(String(line.client))
  }
  return { readings, signIns }
}
