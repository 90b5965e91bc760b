import { join } from 'node:path'
import { createCorpus, findDeepPage } from '../corpus/tree.ts'
import { writeDocs, writeText } from '../corpus/write-docs.ts'
import { installPeer } from './install-peer.ts'
import type { Site, Subject } from './subject.ts'

/** Starlight with its generated sidebar, groups closed. It hydrates nothing but its own custom elements. */
export const starlight: Subject = {
  name: 'Starlight',
  hydrated: "document.readyState === 'complete'",
  link: 'a[rel=next]',
  prepare: async (size) => prepare(size),
}

const CONTENT = `import { defineCollection } from 'astro:content'
import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`

const CONFIG = `import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

export default defineConfig({
  integrations: [
    starlight({
      title: '計測用ポータル',
      locales: { root: { label: '日本語', lang: 'ja' } },
      pagefind: false,
      sidebar: [{ label: '文書', autogenerate: { directory: 'docs', collapsed: true } }],
    }),
  ],
})
`

function prepare(size: number): Site {
  const peer = installPeer('starlight', { '@astrojs/starlight': '0.36.2', astro: '5.15.9' })
  const dir = join(peer, `site-${size}`)
  const corpus = createCorpus({ size })
  writeDocs(corpus, { dir: join(dir, 'src/content/docs/docs'), dialect: 'starlight' })
  writeText(
    join(dir, 'package.json'),
    JSON.stringify({ name: 'bench-starlight', private: true, type: 'module' }),
  )
  writeText(join(dir, 'src/content.config.ts'), CONTENT)
  writeText(join(dir, 'astro.config.mjs'), CONFIG)
  const address = findDeepPage(corpus)
  return {
    dir,
    outDir: join(dir, 'dist'),
    caches: ['.astro', 'node_modules/.astro', 'node_modules/.vite'],
    command: [process.execPath, join(peer, 'node_modules/astro/astro.js'), 'build'],
    env: { ASTRO_TELEMETRY_DISABLED: '1' },
    page: `/docs/${address}/`,
    source: join(dir, 'src/content/docs/docs', `${address}.md`),
  }
}
