/** Colours of the gate's own pages, the login page among them: each in light and in dark. */
const COLOURS = {
  paper: ['#fdfcf9', '#131815'],
  card: ['#fff', '#1a201d'],
  ink: ['#222825', '#dfe5e1'],
  quiet: ['#55605a', '#a5b1aa'],
  line: ['#e4e1d7', '#2b332f'],
  edge: ['#767f79', '#7d8a83'],
  brand: ['#1e4f46', '#e6eee9'],
  'brand-fill': ['#1e4f46', '#9fd0c2'],
  'on-brand': ['#fff', '#10201b'],
  accent: ['#a83c18', '#f0855c'],
  'alarm-paper': ['#fbeae5', '#3a211c'],
  'notice-paper': ['#f3ecdc', '#2c2920'],
} as const

const MODES = ['light', 'dark'] as const

/** Declarations of a mode on the root element. */
export function colourRules(mode: (typeof MODES)[number]): string {
  const values = Object.entries(COLOURS).map(([name, of]) => `--${name}:${of[MODES.indexOf(mode)]}`)
  return [`color-scheme:${mode}`, ...values].join(';')
}

/** For readers who ask for more contrast: nothing quieter than text, and edges that are seen. */
export const CONTRAST_RULES = '--quiet:var(--ink);--line:var(--ink);--edge:var(--ink)'

const GATE_FONTS =
  '"Hiragino Sans","Yu Gothic UI","Yu Gothic","Noto Sans JP","Noto Sans CJK JP",Meiryo,system-ui,sans-serif'

/**
 * The one style sheet of the gate's pages without the site's scripts: account, search, consent, errors, entry to previews. Inlined, allowed
 * by hash. No script can read a reader's choice there, so the system's colour mode counts.
 */
export const GATE_STYLE = `
:root{${colourRules('light')};background:var(--paper);color:var(--ink);font:16px/1.75 ${GATE_FONTS};text-size-adjust:100%}
@media (prefers-color-scheme:dark){:root{${colourRules('dark')}}}
@media (prefers-contrast:more){:root{${CONTRAST_RULES}}}
*,::before,::after{box-sizing:border-box}
body{max-width:44rem;min-height:100vh;margin:0 auto;padding:0 1.25rem 3rem;overflow-wrap:anywhere;word-break:auto-phrase}
header{display:flex;align-items:center;min-height:4rem;margin-bottom:1.5rem;border-bottom:1px solid var(--line)}
header a{display:inline-flex;align-items:center;min-height:44px;color:var(--brand);font-size:1.125rem;font-weight:700;text-decoration:none}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.4;text-wrap:balance}
h2{margin:2.5rem 0 .75rem;font-size:1.125rem}
h3{margin:1.5rem 0 .5rem;font-size:1rem}
p{margin:.75rem 0;text-wrap:pretty}
a{color:var(--accent);text-underline-offset:.2em}
header a:hover,a.button:hover{text-decoration:underline}
textarea{width:100%;padding:.5rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--card);color:inherit;font:inherit}
pre{overflow-x:auto}
ul,ol,dl{margin:1rem 0;padding:0;list-style:none}
ol{padding-left:1.75rem;list-style:decimal}
ol>li{margin-block:1.25rem}
.card,dl{padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card)}
ul.card{padding-block:0}
ul.card>li{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;padding-block:.875rem}
ul.card>li+li{border-top:1px solid var(--line)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.375rem 1.25rem}
dt{color:var(--quiet)}
dd{margin:0}
@media (width<30rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}
.actions,form{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}
.actions{margin-block:1rem}
button,.button,input{min-height:44px;padding:.375rem 1.125rem;border:1px solid var(--edge);border-radius:.375rem;background:var(--card);color:var(--ink);font:inherit;text-decoration:none}
button,.button{display:inline-flex;align-items:center;justify-content:center;cursor:pointer}
button:hover,.button:hover{border-color:var(--ink)}
.primary{border-color:var(--brand-fill);background:var(--brand-fill);color:var(--on-brand);font-weight:700}
label{display:inline-flex;flex-wrap:wrap;gap:.25rem .5rem;align-items:center}
form+p{margin-top:2.5rem}
input[type=search]{flex:1;min-width:12rem}
.quiet{color:var(--quiet);font-size:.875rem}
.box{display:block;flex:1 1 16rem;padding:.625rem .875rem;border:1px solid var(--edge);border-radius:.375rem;background:var(--card);font:.875rem/1.6 ui-monospace,monospace;user-select:all}
.tag{padding:.125rem .625rem;border:1px solid transparent;border-radius:1rem;background:var(--notice-paper);font-size:.875rem}
.alarm{padding:.75rem 1rem;border-inline-start:4px solid var(--accent);border-radius:.25rem;background:var(--alarm-paper)}
mark{background:none;color:inherit;font-weight:700;text-decoration:underline var(--accent) 2px;text-underline-offset:.2em}
ins{background:color-mix(in srgb,#2da44e 22%,transparent);text-decoration-thickness:2px}
del{background:color-mix(in srgb,#cf222e 18%,transparent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
[hidden]{display:none}
@media print{form,.actions{display:none}}
`
