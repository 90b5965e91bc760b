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
