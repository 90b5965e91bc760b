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
