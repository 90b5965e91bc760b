import { hash } from 'node:crypto'
import { SESSION_CHANNEL } from '@sekisho/contract/browser-storage'
import { PATHS } from '@sekisho/contract/paths'

/**
 * Script of the gate's own pages for readers, allowed by its hash. It leaves the page when the session ends in any tab, reports a sign-out
 * by a form to other tabs, and shows copy buttons. The pages work without it.
 */
export const PAGE_SCRIPT = `{
const channel=new BroadcastChannel(${JSON.stringify(SESSION_CHANNEL)});
const leave=()=>{document.body.replaceChildren();location.replace(location.pathname+location.search)};
const check=async()=>{
if(document.hidden)return;
const answer=await fetch(${JSON.stringify(PATHS.session)},{headers:{Accept:'application/json'},cache:'no-store'}).catch(()=>null);
if(answer?.status===401)leave();
};
channel.onmessage=({data})=>{if(data?.type==='signed-out')leave()};
addEventListener('pageshow',({persisted})=>{if(persisted)check()});
document.addEventListener('visibilitychange',check);
setInterval(check,50000);
let isSigningOut=false;
addEventListener('submit',({target})=>{isSigningOut=/^sign-out/.test(String(new FormData(target).get('action')))});
addEventListener('pagehide',()=>{if(isSigningOut)channel.postMessage({type:'signed-out'})});
addEventListener('DOMContentLoaded',()=>{
for(const button of document.querySelectorAll('[data-copied]')){
button.hidden=false;
button.onclick=async()=>{await navigator.clipboard.writeText(button.previousElementSibling.textContent);button.textContent=button.dataset.copied};
}
});
}`

/** Source expression of a content policy that allows {@link PAGE_SCRIPT} alone. */
export const PAGE_SCRIPT_SOURCE = `'sha256-${hash('sha256', PAGE_SCRIPT, 'base64')}'`
