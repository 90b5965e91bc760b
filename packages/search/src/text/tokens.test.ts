import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readIdentifier, splitChunk } from './identifiers.ts'
import { normalise, normaliseForDisplay } from './normalise.ts'
import { encodeSymbols, symbolTermsAsWritten } from './symbols.ts'
import { tokenStreams } from './tokens.ts'

describe('normalise', () => {
  it.each([
    ['Ｒｅａｃｔ', 'react'],
    ['ｻｰﾊﾞｰ', 'サーバー'],
    ['　A\u00a0B', ' a b'],
    ['か\u3099', 'が'],
    ['a\u200bb', 'ab'],
    ['x\ud800y', 'x\ufffdy'],
    ['①', '1'],
  ])('%j becomes %j', (given, wanted) => {
    expect(normalise(given)).toBe(wanted)
  })

  it('keeps the punctuation that readers see', () => {
    expect(normaliseForDisplay('ＡＰＩ（ｻｰﾊﾞ）〜①')).toBe('API（サーバ）〜①')
  })
})

describe('identifiers', () => {
  it.each([
    ['useState', 'usestate', ['use', 'state']],
    ['use_state', 'usestate', ['use', 'state']],
    ['use-state', 'usestate', ['use', 'state']],
    ['USE_STATE', 'usestate', ['use', 'state']],
    ['usestate', 'usestate', []],
    ['HTMLElement', 'htmlelement', ['html', 'element']],
    ['PSReadLine', 'psreadline', ['ps', 'read', 'line']],
    ['utf8', 'utf8', ['utf', '8']],
    ['__proto__', 'proto', []],
  ])('%s is %s made of %j', (name, joined, parts) => {
    expect(readIdentifier(name)).toEqual({ joined, parts })
  })

  it.each([
    ['src/pages/index.astro', ['src', 'pages', 'index', 'astro']],
    ['import.meta.glob', ['import', 'meta', 'glob']],
    ['@scope/pkg-name', ['scope', 'pkg-name']],
    ['client:only', ['client', 'only']],
    ['---', []],
  ])('%s holds the names %j', (chunk, names) => {
    expect(splitChunk(chunk)).toEqual(names)
  })
})

describe('symbol terms', () => {
  it.each([
    ['git add -p --watch', ['-p', '--watch']],
    ['@types と $emit と .env', ['@types', '$emit', '.env']],
    ['#[derive(Debug)]', ['#[derive']],
    ['C++ と C# と println!', ['C++', 'C#', 'println!']],
    ['a?.b ?? c => d', ['?.', '??', '=>']],
    ['v-model client-side a.b', []],
    ['-----', []],
  ])('%s has %j', (text, terms) => {
    expect(symbolTermsAsWritten(text)).toEqual(terms)
  })

  it('encodes without ASCII punctuation', () => {
    fc.assert(fc.property(fc.string(), (text) => !/[!-/:-@[-`{-~]/.test(encodeSymbols(text))))
  })
})

describe('tokenStreams', () => {
  it.each([
    ['環境変数', ['環境', '境変', '変数', '数']],
    ['値', ['値']],
    ['サーバー', ['サバ', 'バ']],
    ['React の state', ['react', 'の', 'state']],
  ])('%s becomes %j', (text, tokens) => {
    expect(tokenStreams(text).main).toEqual(tokens)
  })

  it('adds parts, skeletons, symbols and endings that folding would lose', () => {
    const { extra } = tokenStreams('useState --watch 取り消し プライマリキー')
    expect(extra).toEqual(expect.arrayContaining(['use', 'state', '取消', 'キー', encodeSymbols('--watch')]))
  })

  it('never makes a token that the store would split or read as syntax', () => {
    const isSafe = (token: string): boolean => /^[a-z0-9\u0080-\u{10ffff}]+$/u.test(token)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { main, extra } = tokenStreams(text)
        return [...main, ...extra].every(isSafe)
      }),
    )
  })
})
