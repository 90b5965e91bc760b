// React sets itself up in the task that runs the script; the site follows in tasks of its own.
import 'react-dom/client'
import { giveWay } from './give-way.ts'

giveWay().then(() => import(/* webpackMode: "eager" */ '@docusaurus/core/lib/client/clientEntry.js'))
