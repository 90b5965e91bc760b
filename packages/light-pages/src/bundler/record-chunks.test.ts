import { expect, it } from 'vitest'
import { recordChunks } from './record-chunks.ts'

const CHUNK = `"use strict";(self.webpackChunksite=self.webpackChunksite||[]).push([["635"],{7(e,t,n){n.r(t),n.d(t,{default:()=>o});
let o={"~c0":()=>Promise.all([n.e("34"),n.e("56")]).then(n.bind(n,9)),"@site/docs/a.md":()=>n.e("12").then(n.bind(n,8440)),
"@generated/p.json":()=>n.e("12").then(n.t.bind(n,859,19)),"@site/in-main.md":()=>Promise.resolve().then(n.bind(n,5))}}}]);`

it('notes the module and the chunks of every import', async () => {
  expect(Object.fromEntries(await recordChunks(CHUNK))).toEqual({
    '~c0': { module: '9', chunks: ['34', '56'] },
    '@site/docs/a.md': { module: '8440', chunks: ['12'] },
    '@generated/p.json': { module: '859', chunks: ['12'] },
    '@site/in-main.md': { module: '5', chunks: [] },
  })
})

it('refuses a chunk of another shape', async () => {
  await expect(recordChunks('self.other = []')).rejects.toThrow('decisions/060')
})
