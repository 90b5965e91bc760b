import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files of a folder by their paths in it. */
export type FilesByPath = Readonly<Record<string, string | Uint8Array>>

/** Writes files and the folders that they are in. */
export function writeFiles(folder: string, files: FilesByPath): void {
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), contents)
  }
}
