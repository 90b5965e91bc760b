/**
 * An inline script that stores an initial colour mode for first-time readers before the classic theme reads it.
 * Docusaurus stores "system" as the absence of a choice, so a key of our own distinguishes "chose the system's" from
 * "never visited".
 */
export function initialColorModeScript(mode: 'light' | 'dark', storageNamespace: string): string {
  const choice = JSON.stringify(`theme${storageNamespace}`)
  const mark = JSON.stringify(`sekisho.colorMode${storageNamespace}`)
  return `try{var s=localStorage;if(!s.getItem(${mark})){s.setItem(${mark},"1");s.getItem(${choice})||s.setItem(${choice},"${mode}")}}catch(e){}`
}

/**
 * An inline script that clears the dismissal of an older announcement before first paint. The classic theme clears
 * it only after hydration, when the bar is already hidden for this visit.
 */
export function newAnnouncementScript(id: string, storageNamespace: string): string {
  const seen = JSON.stringify(`docusaurus.announcement.id${storageNamespace}`)
  const dismissed = JSON.stringify(`docusaurus.announcement.dismiss${storageNamespace}`)
  return `try{if(localStorage.getItem(${seen})!==${inScript(id)})localStorage.removeItem(${dismissed})}catch(e){}`
}

/** A string literal that cannot close its script element. */
function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c')
}
