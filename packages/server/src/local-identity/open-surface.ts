import { readFile } from 'node:fs/promises'
import { DEMO_ACCOUNTS } from './accounts/demo-accounts.ts'
import { FRAME_PAGE, PICKER_STYLE, pickerPage } from './pages.ts'
import { PATHS } from './paths.ts'

/** Open paths of this service and the text of its files, known without starting it. */
interface OpenSurface {
  readonly paths: readonly string[]
  readonly texts: readonly string[]
}

/** The scripts, by the name that is also the last part of their path. */
export const BROWSER_FILES = ['gapi.js', 'frame.js', 'picker.js'] as const

export function readBrowserFile(name: (typeof BROWSER_FILES)[number]): Promise<string> {
  return readFile(new URL(`./browser/${name}`, import.meta.url), 'utf8')
}

/** Reads the open surface, to tell these pages from those of a portal. */
export async function readOpenSurface(): Promise<OpenSurface> {
  const files = await Promise.all(BROWSER_FILES.map(readBrowserFile))
  return {
    paths: Object.values(PATHS),
    texts: [pickerPage(DEMO_ACCOUNTS), PICKER_STYLE, FRAME_PAGE, ...files],
  }
}
