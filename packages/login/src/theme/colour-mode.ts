/** The portal's own default; the system's preference counts only for a reader who chose "system". */
const DEFAULT_MODE = 'light'

/** Docusaurus keeps the choice under `theme`, with a suffix when it separates sites on one origin. */
const STORAGE_KEY = /^theme(?:-[0-9A-Za-z_-]+)?$/

/** The mode the reader chose in the portal on an earlier visit, else the default. */
export function readColourMode(
  stored: Iterable<readonly [string, string]>,
  isSystemDark: boolean,
): 'light' | 'dark' {
  for (const [key, value] of stored) {
    if (!STORAGE_KEY.test(key)) continue
    if (value === 'dark' || value === 'light') return value
    if (value === 'system') return isSystemDark ? 'dark' : 'light'
  }
  return DEFAULT_MODE
}

/** Sets `data-theme` on the document before anything is drawn by the script. */
export function applyColourMode(): void {
  const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = readColourMode(readStorage(), isSystemDark)
}

/** Storage may be forbidden altogether; the login page works without it. */
function readStorage(): (readonly [string, string])[] {
  try {
    return Object.entries(localStorage).map(([key, value]) => [key, String(value)])
  } catch {
    return []
  }
}
