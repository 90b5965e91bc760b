/**
 * An inline script for the head that stores a first colour mode for somebody who never chose one, before the
 * classic theme reads it. Docusaurus stores "system" as the absence of a choice, so a mark of our own tells
 * "has chosen the system's" from "was never here".
 */
export function initialColorModeScript(mode: 'light' | 'dark', storageNamespace: string): string {
  const choice = JSON.stringify(`theme${storageNamespace}`)
  const mark = JSON.stringify(`sekisho.colorMode${storageNamespace}`)
  return `try{var s=localStorage;if(!s.getItem(${mark})){s.setItem(${mark},"1");s.getItem(${choice})||s.setItem(${choice},"${mode}")}}catch(e){}`
}

/**
 * An inline script for the head that forgets the dismissal of an older announcement before the page is drawn. The
 * classic theme does so only after its scripts have run, when the bar is already hidden for this visit.
 */
export function newAnnouncementScript(id: string, storageNamespace: string): string {
  const seen = JSON.stringify(`docusaurus.announcement.id${storageNamespace}`)
  const dismissed = JSON.stringify(`docusaurus.announcement.dismiss${storageNamespace}`)
  return `try{if(localStorage.getItem(${seen})!==${inScript(id)})localStorage.removeItem(${dismissed})}catch(e){}`
}

/** Text as a literal that cannot end the script element it stands in. */
function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c')
}
