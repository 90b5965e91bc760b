import { CONTRAST_RULES, colourRules } from '@sekisho/contract/gate-style'
import type { Plugin } from 'vite'

const NAME = 'virtual:gate-colours.css'

/** The colours that the login page has in common with the gate's other pages; here the reader's own choice of a mode counts. */
export function gateColours(): Plugin {
  return {
    name: 'sekisho:gate-colours',
    resolveId: (id) => (id === NAME ? NAME : null),
    load: (id) =>
      id === NAME
        ? `:root{${colourRules('light')}}:root[data-theme="dark"]{${colourRules('dark')}}
@media (prefers-contrast:more){:root,:root[data-theme="dark"]{${CONTRAST_RULES}}}`
        : null,
  }
}
