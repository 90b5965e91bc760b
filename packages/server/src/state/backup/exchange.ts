import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '@sekisho/release'
import type { DataFolder } from '../../storage/data-folder.ts'
import { listFiles } from './copy-folder.ts'

/** Not exchanged: the lock that is held, and what restores keep there. */
const KEPT = /^(?:gate\.lock.*|before-restore-.*|restoring-.*)$/
/** A draft by its step: none while it is copied and checked, then two that only go forward. */
const DRAFT = /^restoring-([0-9TZ]+)(?:\.(leaving|entering))?$/

/** The folder into which a restore copies. */
export const draftOf = (root: string, stamp: string): string => join(root, `restoring-${stamp}`)
/** The place of a draft for which the earlier content leaves. */
export const decidedOf = (draft: string): string => `${draft}.leaving`

/** Moves a draft to {@link decidedOf}: cut off from here on, {@link finishRestore} lets it enter. */
export async function decideExchange(root: string, stamp: string): Promise<void> {
  const draft = draftOf(root, stamp)
  const files: string[] = ['']
  for await (const path of listFiles(draft)) files.push(path)
  leaveToOwner(root, draft, files)
  renameSync(draft, decidedOf(draft))
  await syncFolder(root)
}

/**
 * Completes a restore that was cut off while it exchanged, and removes what one left that was cut off before. Needs the folder's lock.
 * Returns the place of the earlier content; null where nothing was to be completed.
 */
export async function finishRestore(folder: Pick<DataFolder, 'root'>): Promise<string | null> {
  const root = realpathSync(folder.root)
  let aside: string | null = null
  for (const name of readdirSync(root)) {
    const [, stamp, step] = DRAFT.exec(name) ?? []
    if (stamp === undefined) continue
    if (step === undefined) rmSync(join(root, name), { recursive: true, force: true })
    else aside = (await complete(root, stamp)) ?? root
  }
  return aside
}

/**
 * Puts a decided draft in the place of what a data folder holds, by renames alone: its name says if the earlier content still leaves or the
 * new one enters. Returns the place of the earlier content; null where there was none.
 */
export async function complete(root: string, stamp: string): Promise<string | null> {
  const aside = join(root, `before-restore-${stamp}`)
  const [leaving, entering] = [decidedOf(draftOf(root, stamp)), `${draftOf(root, stamp)}.entering`]
  /** Whatever a command made there meanwhile is kept beside what it would replace. */
  function putAside(name: string): void {
    mkdirSync(aside, { recursive: true, mode: 0o700 })
    const isTaken = existsSync(join(aside, name))
    const to = isTaken ? `${name}.${randomBytes(4).toString('hex')}` : name
    renameSync(join(root, name), join(aside, to))
  }
  if (existsSync(leaving)) {
    for (const name of readdirSync(root).filter((one) => !KEPT.test(one))) putAside(name)
    if (existsSync(aside)) leaveToOwner(root, aside, [''])
    await syncFolder(root)
    renameSync(leaving, entering)
  }
  for (const name of readdirSync(entering)) {
    if (existsSync(join(root, name))) putAside(name)
    renameSync(join(entering, name), join(root, name))
  }
  await syncFolder(root)
  rmSync(entering, { recursive: true })
  return existsSync(aside) ? aside : null
}

/** Gives what root made to the gate's user: a systemd service's user exists only while it runs, and owns the folder. */
function leaveToOwner(root: string, below: string, paths: readonly string[]): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(root)
  const folders = new Set(paths.flatMap(foldersAround))
  for (const path of [...folders, ...paths]) chownSync(join(below, path), uid, gid)
}

function foldersAround(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [...foldersAround(folder), folder]
}
