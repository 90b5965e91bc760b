import { join } from 'node:path'
import { type Category, createCorpus, findDeepPage } from '../corpus/tree.ts'
import { writeDocs, writeText } from '../corpus/write-docs.ts'
import { installPeer } from './install-peer.ts'
import type { Site, Subject } from './subject.ts'

/** VitePress with the same tree in its sidebar, categories closed. */
export const vitepress: Subject = {
  name: 'VitePress 1.6',
  hydrated: "document.querySelector('#app')?.__vue_app__ !== undefined",
  link: '.pager-link.next',
  prepare: async (size) => prepare(size),
}

function prepare(size: number): Site {
  const peer = installPeer('vitepress', { vitepress: '1.6.4', vue: '3.5.22' })
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
    command: [process.execPath, join(peer, 'node_modules/vitepress/bin/vitepress.js'), 'build'],
    env: {},
    page: `/docs/${address}`,
    source: join(dir, 'docs', `${address}.md`),
  }
}

interface Entry {
  text: string
  link?: string
  collapsed?: boolean
  items?: Entry[]
}

function toSidebar(category: Category, path: string): Entry[] {
  const pages = category.pages.map(({ title, slug }) => ({ text: title, link: `${path}/${slug}` }))
  const inside = category.categories.map((child) => {
    const address = `${path}/${child.slug}`
    const link = child.index === null ? {} : { link: `${address}/` }
    return { text: child.label, ...link, collapsed: true, items: toSidebar(child, address) }
  })
  return [...pages, ...inside]
}
