import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { readPage, resolveReferences } from './page-contents.ts'

const source = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

it.each<[html: string, scripts: string[]]>([
  ['<script>a()</script>', ['a()']],
  ['<SCRIPT>a()</SCRIPT><script>a()</script>', ['a()']],
  ['<script type="module">a()</script><script type=TEXT/JavaScript>b()</script>', ['a()', 'b()']],
  ['<script src=/x.js></script><script src="">a()</script>', []],
  ['<script type="application/ld+json">{}</script><script type="application/json">{}</script>', []],
  ['<script type="speculationrules">{}</script><script type=importmap>{}</script>', ['{}']],
  ['<!-- <script>a()</script> --><script>b()</script>', ['b()']],
  ['<textarea><script>a()</script></textarea><title><script>b()</script></title>', []],
  ['<script>x="&amp;<b>"</script>', ['x="&amp;<b>"']],
  ['<script>a()\r\nb()\rc()</script>', ['a()\nb()\nc()']],
  ['<style>a{}</style><script></script>', ['']],
  ['<script>"日本語"</script>', ['"日本語"']],
  ['<p onclick="a()">x</p>', []],
  ['<noscript><script>a()</script></noscript><template><script>b()</script></template>', []],
  ['<script><!--<script>a()</script>--></script>', ['<!--<script>a()</script>-->']],
  ['<svg><p><script>a("&lt;")</script></svg>', ['a("&lt;")']],
  ['<svg><script>a("&lt;")</script></svg>', ['a("<")']],
  ['<script>"\0"</script>', ['"\ufffd"']],
])('%s', (html, scripts) => {
  expect(readPage(html)).toMatchObject({ scriptHashes: scripts.map(source) })
})

it.each<[html: string, refused: string[], never?: string[]]>([
  [
    '<img src=https://img.shields.io/x><img src="//a.example/y"><img src=/z><img src=https://img.shields.io/v>',
    ['img https://img.shields.io', 'img https://a.example'],
  ],
  [
    '<script src="https://t.example/g.js"></script><script src=/own.js></script>',
    ['script https://t.example'],
  ],
  [
    '<link rel=stylesheet href=https://f.example/c><link rel=canonical href=https://me.example/>',
    ['style https://f.example'],
  ],
  ['<link rel=preload as=font href=https://f.example/a.woff2>', ['font https://f.example']],
  ['<link rel="shortcut icon" href=https://f.example/a.png>', ['img https://f.example']],
  ['<iframe src="HTTPS://v.example"></iframe><a href=https://e.example>e</a>', ['frame https://v.example']],
  [
    '<video poster=https://p.example/p src=/v></video><audio src=https://s.example:8443/a></audio>',
    ['img https://p.example', 'media https://s.example:8443'],
  ],
  ['<img srcset="/a.png 1x, https://b.example/b.png 2x">', ['img https://b.example']],
  ['<p style="background: url(https://c.example/c.png)">x</p>', ['img https://c.example']],
  [
    '<style>@import "https://i.example/a.css";@font-face{src:url(//g.example/f.woff2)}p{background:url("https://h.example")}</style>',
    ['style https://i.example', 'font https://g.example', 'img https://h.example'],
  ],
  ['<form action="https://news.example/join"><button>x</button></form>', ['form https://news.example']],
  ['<button onclick="a()">x</button>', [], ['button onclick']],
  ['<a href="javascript:a()">x</a>', [], ['a javascript:']],
  ['<img src=http://plain.example/x>', [], ['img http://plain.example/x']],
  [
    '<iframe src="/a/b.ODS?x=1"></iframe><iframe src=/a/b></iframe><iframe src=/a/b.shtml></iframe>',
    [],
    ['iframe /a/b.ODS?x=1'],
  ],
  [
    '<iframe data-src="/a/b.pdf"></iframe><img src="data:," data-src="https://i.example/x"><script data-src="https://s.example/x"></script>',
    ['img https://i.example'],
    ['iframe /a/b.pdf'],
  ],
  ['<embed src=https://e.example/x>', [], ['embed https://e.example/x']],
  ['<pre>&lt;img src=https://a.example></pre><img src="data:image/png;base64,AA">', []],
])('says what the content policy keeps from %s', (html, granted, never = []) => {
  const { refused } = readPage(html)
  expect(refused.flatMap(({ grant }) => (grant === null ? [] : `${grant.kind} ${grant.source}`))).toEqual(
    granted,
  )
  expect(refused.flatMap(({ what, grant }) => (grant === null ? what : []))).toEqual(never)
})

it('notes the assets a page asks for', () => {
  const html =
    '<link rel=stylesheet href=/assets/a.css><link rel="preload" as=script href="/assets/b.js">' +
    '<script src="/assets/b.js"></script><script src="https://other.example/c.js"></script><a href="/docs">x</a>' +
    '<link rel=alternate href=/blog/rss.xml><link rel=next href=/docs/b><img src="/img/%E5%9B%B3.png"><img src="../c.png?x">'
  const { references } = readPage(html)
  const paths = resolveReferences(references, '/docs/setup/')
  expect(paths).toEqual(['/assets/a.css', '/assets/b.js', '/img/図.png', '/docs/c.png'])
})
