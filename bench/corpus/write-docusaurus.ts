import { join } from 'node:path'
import type { Category } from './tree.ts'
import { writeDocs, writeText } from './write-docs.ts'

/**
 * `stock`: Docusaurus with its fastest flags; `sekisho`: the same site with flat pages; `release`: with the whole of
 * `@sekisho/docusaurus`, to be indexed and packed; `curtain`: a client-side gate.
 */
export type Variant = 'stock' | 'sekisho' | 'release' | 'curtain'

/** Writes a Docusaurus site of the corpus that differs between variants only in what the variant names. */
export function writeDocusaurusSite(
  root: Category,
  { dir, variant }: { dir: string; variant: Variant },
): void {
  writeDocs(root, { dir: join(dir, 'docs'), dialect: 'docusaurus' })
  writeText(join(dir, 'package.json'), JSON.stringify(packageFile, null, 2))
  writeText(join(dir, 'docusaurus.config.mjs'), configFile(variant))
  if (variant === 'curtain') writeText(join(dir, 'src/theme/Root.js'), CURTAIN)
}

const packageFile = {
  name: 'bench-site',
  private: true,
  browserslist: {
    production: ['last 3 years and >0.2%', 'not dead'],
    development: ['last 1 chrome version'],
  },
}

const OURS: Partial<Record<Variant, string>> = {
  sekisho: ", '@sekisho/light-pages'",
  release: ", '@sekisho/docusaurus'",
}

function configFile(variant: Variant): string {
  const ours = OURS[variant] ?? ''
  return `export default {
  title: '計測用ポータル',
  url: 'http://127.0.0.1',
  baseUrl: '/',
  onBrokenLinks: 'ignore',
  i18n: { defaultLocale: 'ja', locales: ['ja'] },
  future: { v4: true, faster: true },
  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: 'docs' }]],
  themes: ['@docusaurus/theme-classic'${ours}],
  themeConfig: {
    navbar: { title: '計測用ポータル', items: [{ type: 'docSidebar', sidebarId: 'defaultSidebar', label: '文書' }] },
    footer: { copyright: '© 2025' },
    prism: { additionalLanguages: ['bash', 'json', 'sql'] },
  },
}
`
}

/** The design most teams have: everything is sent, then React hides it until Firebase says who is there. */
const CURTAIN = `import { useEffect, useState } from 'react'
import { initializeApp } from 'firebase/app'
import { connectAuthEmulator, getAuth, GoogleAuthProvider, onAuthStateChanged, signInWithCredential } from 'firebase/auth'

let auth
function getClient() {
  if (auth === undefined) {
    auth = getAuth(initializeApp({ apiKey: 'demo', authDomain: 'demo-bench.firebaseapp.com', projectId: 'demo-bench' }))
    connectAuthEmulator(auth, window.location.origin, { disableWarnings: true })
  }
  return auth
}

export default function Root({ children }) {
  const [state, setState] = useState('loading')
  useEffect(() => onAuthStateChanged(getClient(), (user) => setState(user?.email ? 'in' : 'out')), [])
  if (state === 'loading') return <p>Loading...</p>
  return state === 'in' ? children : <button type="button" onClick={signIn}>Login with Google</button>
}

// The account is chosen already: only the first visit differs from a popup, and that is not measured.
function signIn() {
  const reader = { sub: 'google-1-sato-hanako', email: 'hanako.sato@sekisho.example', email_verified: true }
  return signInWithCredential(getClient(), GoogleAuthProvider.credential(JSON.stringify(reader)))
}
`
