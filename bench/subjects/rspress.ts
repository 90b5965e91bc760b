import { join } from 'node:path'
import { createCorpus, findDeepPage } from '../corpus/tree.ts'
import { writeDocs, writeText } from '../corpus/write-docs.ts'
import { installPeer } from './install-peer.ts'
import type { Site, Subject } from './subject.ts'
import { toSidebar } from './text-link-sidebar.ts'

/** Rspress with the same tree in its sidebar, categories closed. It says nowhere that it is ready, so React is asked. */
export const rspress: Subject = {
  name: 'Rspress 2',
  hydrated: "Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__reactFiber'))",
  link: '.rp-prev-next-page__next',
  prepare: async (size) => prepare(size),
}

function prepare(size: number): Site {
  const peer = installPeer('rspress', { '@rspress/core': '2.0.4' })
  const dir = join(peer, `site-${size}`)
  const corpus = createCorpus({ size })
  writeDocs(corpus, { dir: join(dir, 'docs/docs'), dialect: 'rspress' })
  writeText(join(dir, 'docs/index.md'), '# 計測用ポータル\n')
  const config = {
    root: 'docs',
    title: '計測用ポータル',
    lang: 'ja',
    route: { cleanUrls: true },
    markdown: { link: { checkDeadLinks: false } },
    themeConfig: { nav: [], sidebar: { '/docs/': toSidebar(corpus, '/docs') } },
  }
  writeText(join(dir, 'rspress.config.mjs'), `export default ${JSON.stringify(config)}\n`)
  const address = findDeepPage(corpus)
  return {
    dir,
    outDir: join(dir, 'doc_build'),
    caches: ['node_modules/.cache'],
    command: [process.execPath, join(peer, 'node_modules/@rspress/core/bin/rspress.js'), 'build'],
    env: {},
    page: `/docs/${address}`,
    source: join(dir, 'docs/docs', `${address}.md`),
  }
}
