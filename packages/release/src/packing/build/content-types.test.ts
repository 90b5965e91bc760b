import { expect, it } from 'vitest'
import { contentTypeOf, isHashedAsset } from './content-types.ts'
import { isLeftOut } from './left-out.ts'

it.each([
  ['a.html', 'text/html; charset=utf-8', 'download'],
  ['a.SVG', 'image/svg+xml; charset=utf-8', 'isolated'],
  ['a.pdf', 'application/pdf', 'download'],
  ['a.xhtml', 'application/xhtml+xml; charset=utf-8', 'download'],
  ['feed.atom', 'application/atom+xml; charset=utf-8', 'isolated'],
  ['a.js', 'text/javascript; charset=utf-8', 'resource'],
  ['a.tar.gz', 'application/gzip', 'download'],
  ['a.mht', 'application/octet-stream', 'download'],
  ['LICENSE', 'application/octet-stream', 'download'],
  ['a.html.unknown', 'application/octet-stream', 'download'],
])('%s is %s, %s', (name, type, delivery) => {
  expect(contentTypeOf(name)).toMatchObject({ type, delivery })
})

it.each([
  ['/assets/js/main.0a1b2c3d.js', true],
  ['/assets/js/17896441.0a1b2c3d.js', true],
  ['/assets/css/styles.0a1b2c3d.css', true],
  ['/assets/images/図-0123456789abcdef0123456789abcdef.png', true],
  ['/_astro/print.DNXP8c50.css', true],
  ['/_astro/page.astro_astro_type_script_index_0_lang.7eNe-_x1.js', true],
  ['/_astro/houston.CZZyCf7p_ZmtZ8j.webp', true],
  ['/_astro/ec.mqpmw.css', true],
  ['/_astro/main.mqpmw.css', false],
  ['/_astro/print.css', false],
  ['/docs/_astro/print.DNXP8c50.css', false],
  ['/assets/files/report-20250401.pdf', false],
  ['/assets/js/main.js', false],
  ['/assets/js/main.0a1b2c3.js', false],
  ['/img/photo.0a1b2c3d.png', false],
  ['/docs/assets/js/main.0a1b2c3d.js', false],
])('%s: named by its content is %s', (path, hashed) => {
  expect(isHashedAsset(path)).toBe(hashed)
})

it.each([
  ['assets/js/main.js.map', true],
  ['.git/config', true],
  ['docs/.env', true],
  ['.well-known/security.txt', false],
  ['__sekisho/site.json', true],
  ['__docusaurus/debug/index.html', true],
  ['stats.json', true],
  ['client-stats.json', true],
  ['client-manifest.json', true],
  ['backup.bak', true],
  ['index.html~', true],
  ['docs/mapping.json', false],
  ['docs/statistics.json', false],
  ['manifest.json', false],
  ['sitemap.xml', false],
])('%s stays behind: %s', (name, leftOut) => {
  expect(isLeftOut(name.split('/'))).toBe(leftOut)
})
