import { expect, it } from 'vitest'
import { createReferenceFinder } from './folder-references.ts'

const FILES = ['決算 速報.pdf', '人事&賞与.pdf', "O'Hara.pdf", '図ガ.png', 'icons.svg', 'x/a.png', '100%.pdf']
const find = createReferenceFinder(['p/page.html', ...FILES.map((name) => `p/${name}`)], '/docs/')
const namedBy = (text: string, name = 'p/page.html') => find(name, text).map((one) => one.replace(/^p\//, ''))

it.each([
  ['<a href="決算 速報.pdf">', '決算 速報.pdf'],
  ['<a href="%E6%B1%BA%E7%AE%97%20速報.pdf?v=1#p2">', '決算 速報.pdf'],
  ['<A HREF=" /docs/p/決算&#32;速報.pdf\n">', '決算 速報.pdf'],
  ['<a href="人事&amp;賞与.pdf">', '人事&賞与.pdf'],
  ['<a href="人事&#x26;賞与.pdf">', '人事&賞与.pdf'],
  ['<a href="人事&賞与.pdf">', '人事&賞与.pdf'],
  ['<a href="O\'Hara.pdf">', "O'Hara.pdf"],
  ["<a href='O&apos;Hara.pdf'>", "O'Hara.pdf"],
  ['<a href="x\\a.png">', 'x/a.png'],
  ['<a href="100%.pdf">', '100%.pdf'],
  ['<base href="/docs/p/x/"><img src="a.png">', 'x/a.png'],
  [`<img src="${'図ガ.png'.normalize('NFD')}">`, '図ガ.png'],
  ['<img src="X/A.PNG">', 'x/a.png'],
  ['<img srcset="x/a.png 1x, no.png 2x">', 'x/a.png'],
  ['<link rel=preload as=image imagesrcset="no.png 1x,x/a.png 2x">', 'x/a.png'],
  ['<svg><use xlink:href="icons.svg#a"/></svg>', 'icons.svg'],
  ['<svg><image href="x/a.png"/></svg>', 'x/a.png'],
  ['<video poster=x/a.png></video>', 'x/a.png'],
  ['<object data="x/a.png"><param name=src value="icons.svg"></object>', 'x/a.png icons.svg'],
  ['<form action="no"><button formaction="x/a.png">', 'x/a.png'],
  ['<blockquote cite="x/a.png"><img longdesc="icons.svg">', 'x/a.png icons.svg'],
  ['<a ping="no icons.svg" href=x/a.png>', 'icons.svg x/a.png'],
  ['<table background="x/a.png">', 'x/a.png'],
  ['<p style="background:url(x/a.png)">', 'x/a.png'],
  ['<style>@import "icons.svg"; p{background:image-set("x/a.png" 1x)}</style>', 'icons.svg x/a.png'],
  ['<style>p{background:url(\\78/a.png)}</style>', 'x/a.png'],
  ['<meta http-equiv=refresh content="0; URL=\'x/a.png\'">', 'x/a.png'],
  [
    '<link rel=canonical href="https://d.example/docs/p/"><meta property="og:image" content="https://d.example/docs/p/x/a.png">',
    'x/a.png',
  ],
  ['<div data-full="x/a.png">', 'x/a.png'],
  ['<div data-gallery=\'["x/a.png"]\'>', 'x/a.png'],
  ['<script type="application/ld+json">{"image":["x/a.png"]}</script>', 'x/a.png'],
  ['<script type=module>import "./x/a.png"</script>', 'x/a.png'],
  ['<noscript><img src="x/a.png"></noscript>', 'x/a.png'],
  ['<template><img src="x/a.png"></template>', 'x/a.png'],
  ['<iframe srcdoc="&lt;img src=&quot;x/a.png&quot;&gt;"></iframe>', 'x/a.png'],
])('finds what %s names', (html, names) => {
  expect(namedBy(html)).toEqual(names === '' ? [] : names === '決算 速報.pdf' ? [names] : names.split(' '))
})

it.each([
  ['p/style.css', '@import url("icons.svg");p{background:url( x/a.png )}', ['icons.svg', 'x/a.png']],
  ['p/icons.svg', '<svg><image xlink:href="x/a.png"/></svg>', ['x/a.png']],
  ['p/site.webmanifest', '{"icons":[{"src":"x/a.png"}]}', ['x/a.png']],
  ['p/app.js', 'import"./x/a.png";import("./icons.svg")', ['x/a.png']],
])('finds what %s names', (name, text, names) => {
  expect(namedBy(text, name)).toEqual(names)
})

it.each(['q', 'q/', 'q/index', 'Q/INDEX.html', '../p/q'])('finds the page that %s leads to', (address) => {
  const findPage = createReferenceFinder(['p/page.html', 'p/q/index.html'], '/docs/')
  expect(findPage('p/page.html', `<div data-nav='[{"to":"${address}"}]'>`)).toEqual(['p/q/index.html'])
})

it.each([
  '<p>x/a.png</p>',
  '<a href="https://other.example/docs/p/x/a.png">',
  '<a href="/p/x/a.png">',
  '<!-- <img src=x/a.png> -->',
])('finds nothing in %s', (html) => {
  expect(namedBy(html)).toEqual([])
})
