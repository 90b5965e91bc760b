import { expect, it } from 'vitest'
import { createListReader } from './listed-pages.ts'

const PAGES = ['index.html', 'guide.html', 'roster.html', 'staff/手順.html', 'staff/price/index.html']
const find = createListReader(PAGES)

it.each([
  ['{"location":"staff/price/","title":"x"}', ['staff/price/index.html']],
  ['setIndex({docnames:["staff/price/index"]})', ['staff/price/index.html']],
  ['"https:\\/\\/d.example\\/docs\\/staff\\/price\\/#a"', ['staff/price/index.html']],
  ['<link>https://d.example/staff/%E6%89%8B%E9%A0%86.html</link>', ['staff/手順.html']],
  ['- [x](./staff/手順.HTML?v=1)', ['staff/手順.html']],
  ['docnames:["index","guide","roster"]', ['index.html', 'guide.html', 'roster.html']],
  ['{"link":"/roster"}', ['roster.html']],
  ['<loc>https://d.example/docs/roster</loc>', ['roster.html']],
  ['JSON.parse("{\\"staff_price_index.md\\":\\"a1\\"}")', ['staff/price/index.html']],
  ['- [x](https://d.example/roster.md) "\\u002Fguide\\u002f"', ['roster.html', 'guide.html']],
  ['"href":"roster/"', ['roster.html']],
  ['const roster = "guide"; staff.price()', []],
  ['x'.repeat(3_000), []],
])('finds the pages that %s lists', (text, pages) => {
  expect(find(text)).toEqual(pages)
})
