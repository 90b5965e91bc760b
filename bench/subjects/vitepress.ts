import { join } from 'node:path'
import { createCorpus, findDeepPage } from '../corpus/tree.ts'
import { writeDocs, writeText } from '../corpus/write-docs.ts'
import { installPeer } from './install-peer.ts'
import type { Site, Subject } from './subject.ts'
import { toSidebar } from './text-link-sidebar.ts'

/** VitePress with the same tree in its sidebar, categories closed. */
export const vitepress = createVitepressSubject('VitePress 1.6', { vitepress: '1.6.4', vue: '3.5.22' })

/** The version to come, which loads much less. */
export const vitepressNext = createVitepressSubject('VitePress 2 alpha', {
  vitepress: '2.0.0-alpha.20',
  vue: '3.5.22',
})

function createVitepressSubject(name: string, packages: { [name: string]: string }): Subject {
  return {
    name,
    hydrated: "document.querySelector('#app')?.__vue_app__ !== undefined",
    link: '.pager-link.next',
    prepare: async (size) => prepare(size, packages),
  }
}

function prepare(size: number, packages: { [name: string]: string }): Site {
  const peer = installPeer(`vitepress-${packages.vitepress}`, packages)
  const dir = join(peer, `site-${size}`)
  const corpus = createCorpus({ size })
  writeDocs(corpus, { dir: join(dir, 'docs'), dialect: 'vitepress' })
  const sidebar = toSidebar(corpus, '/docs')
  const config = {
    title: '計測用ポータル',
    lang: 'ja',
    cleanUrls: true,
    ignoreDeadLinks: true,
    themeConfig: { sidebar },
  }
  writeText(join(dir, '.vitepress/config.mjs'), `export default ${JSON.stringify(config)}\n`)
  writeText(join(dir, 'index.md'), '# 計測用ポータル\n')
  const address = findDeepPage(corpus)
  return {
    dir,
    outDir: join(dir, '.vitepress/dist'),
    caches: ['.vitepress/cache'],
    command: [process.execPath, join(peer, 'node_modules/vitepress/bin/vitepress.js'), 'build'],
    env: {},
    page: `/docs/${address}`,
    source: join(dir, 'docs', `${address}.md`),
  }
}
