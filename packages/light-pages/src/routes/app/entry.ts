// React sets itself up in the task that runs the script, the site in one of its own: no task of the start is long (decisions/063).
import 'react-dom/client'
import '@light-pages/mdx'

const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
const giveWay = scheduler?.yield?.() ?? new Promise<void>((resolve) => setTimeout(resolve))
void giveWay.then(() => import(/* webpackMode: "eager" */ '@light-pages/stock-entry'))
