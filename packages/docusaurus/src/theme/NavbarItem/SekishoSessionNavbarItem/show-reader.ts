import { cookieNames } from '@sekisho/contract/cookies'

/**
 * A script that stands behind the place of the reader's name and writes it there while the page is still being read: on a
 * slow line the rest comes seconds later. Empty in the browser, where React finds it done. The rules are `readReaderCookie`'s.
 */
export const SHOW_READER =
  typeof window === 'undefined'
    ? `(function(place){try{
var name=location.protocol=="https:"?"${cookieNames(true).reader}=":"${cookieNames(false).reader}="
var own=document.cookie.split("; ").filter(function(pair){return pair.indexOf(name)==0})
if(own.length!=1)return
var bytes=Uint8Array.from(atob(own[0].slice(name.length).replace(/-/g,"+").replace(/_/g,"/")),function(c){return c.charCodeAt(0)})
var reader=JSON.parse(new TextDecoder().decode(bytes))
place.textContent=reader.name||reader.email
place.removeAttribute("aria-label")
}catch(e){}})(document.currentScript.previousElementSibling)`
    : ''
