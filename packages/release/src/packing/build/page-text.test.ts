import { describe, expect, it } from 'vitest'
import { decodePage, decodeText, preparePage } from './page-text.ts'

const TEXT = '関所の手引き：①～－髙ｱ 表ソ能 "\\~"'
const ENCODINGS = ['shift_jis', 'euc-jp', 'utf-16le', 'utf-16be', 'iso-2022-jp'] as const

/** The bytes of a text in an encoding that the platform only decodes. */
function encode(text: string, encoding: string): Buffer {
  if (encoding.startsWith('utf-16')) {
    const bytes = Buffer.from(text, 'utf16le')
    return encoding === 'utf-16le' ? bytes : bytes.swap16()
  }
  if (encoding === 'iso-2022-jp') {
    const [euc, escapes] = [encode(text, 'euc-jp').toString('latin1'), ['\u001b$B', '\u001b(B']]
    const shifted = euc.replace(/[\u0080-\u00ff]+/g, (run) => escapes.join(run))
    return Buffer.from(
      shifted.replace(/[\u0080-\u00ff]/g, (one) => String.fromCharCode(one.charCodeAt(0) & 0x7f)),
      'latin1',
    )
  }
  const table = tableOf(encoding)
  return Buffer.from([...text].flatMap((one) => table.get(one) ?? one.charCodeAt(0)))
}

function tableOf(encoding: string): Map<string, number[]> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const table = new Map<string, number[]>()
  const note = (...bytes: number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes))
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes)
    } catch {
      // no character
    }
  }
  for (let one = 0; one < 256; one += 1) note(one)
  for (let lead = 0x80; lead < 256; lead += 1)
    for (let trail = 0x40; trail < 256; trail += 1) note(lead, trail)
  return table
}

const page = (head: string, text = TEXT) => `<html><head>${head}</head><body>${text}</body></html>`

describe('the text of a page', () => {
  it.each(
    ENCODINGS.flatMap((encoding) => [
      [encoding, `<meta charset="${encoding}">`],
      [encoding, `<meta http-equiv=Content-Type content='text/html; charset=${encoding}'>`],
      [encoding, ''],
    ]),
  )('in %s with %j is read, and says UTF-8 in a release', (encoding, head) => {
    const text = encoding === 'iso-2022-jp' ? TEXT.replace(/[ｱ髙①]/g, '') : TEXT
    const bytes = encode(page(head, text), encoding)
    expect(decodePage('a.html', bytes)?.text).toBe(page(head.replace(encoding, 'utf-8'), text))
    const stored = preparePage('a.html', bytes, null)
    expect(Buffer.from(stored ?? []).toString()).toBe(page(head.replace(encoding, 'utf-8'), text))
  })

  it.each([
    ['an XML declaration', '<?xml version="1.0" encoding="Shift_JIS"?>', 'shift_jis'],
    ['the Windows name', '<meta charset=windows-31j>', 'shift_jis'],
    ['a name that only Java knows', '<meta charset="cp932">', 'shift_jis'],
    ['a comment first', `<!-- <meta charset=koi8-r> ${'x'.repeat(1_500)} --><meta charset=euc-jp>`, 'euc-jp'],
    ['a byte order mark', '', 'utf-16le'],
  ])('heeds %s', (_what, start, encoding) => {
    const mark = encoding.startsWith('utf-16') ? '\ufeff' : ''
    const decoded = decodePage('a.html', encode(`${mark}${start}<p>${TEXT}`, encoding))
    expect(decoded?.text.endsWith(`<p>${TEXT}`)).toBe(true)
  })

  it.each(['', '<meta charset=iso-8859-1>'])('of Western letters alone is windows-1252: %s', (head) => {
    const bytes = Buffer.from(`${head}<p>caf\xe9 \x93na\xefve\x94 Gr\xfc\xdfe`, 'latin1')
    expect(decodeText(bytes)?.text).toMatch(/<p>café “naïve” Grüße$/)
  })

  it.each([
    ['its own language', '<html lang="ko"><p>', 'euc-kr', '한국어 문서'],
    ['its own language', '<html lang=zh-TW><p>', 'big5', '繁體中文文件'],
    ['its own language', '<html lang="ru-RU"><p>', 'windows-1251', 'Руководство'],
    ['Japanese that a Western editor saved', '<meta charset="iso-8859-1"><p>', 'shift_jis', TEXT],
  ])('of no other declaration is in the encoding of %s', (_what, start, encoding, text) => {
    expect(decodeText(encode(start + text, encoding))?.text.endsWith(text)).toBe(true)
  })

  it('of kanji alone is of the language that is assumed', () => {
    const script = encode('a("受付")', 'shift_jis')
    expect([decodeText(script), decodeText(script, 'ja')?.text]).toEqual([null, 'a("受付")'])
  })

  it.each([
    [
      'UTF-8 that breaks off',
      Buffer.concat([Buffer.from('<meta charset=utf-8><p>関所'), Buffer.from([0xe9])]),
    ],
    ['Shift_JIS that says UTF-8', encode('<meta charset=utf-8><p>関所', 'shift_jis')],
    ['Shift_JIS with a byte of no character', Buffer.from([0x8a, 0xd6, 0x8f, 0x8a, 0x82, 0xcc, 0xfd, 0xff])],
    ['Korean that names no language', encode('<p>한국어 문서', 'euc-kr')],
    [
      'UTF-32',
      Buffer.from([...'<p>関所'].flatMap((one) => [one.charCodeAt(0) & 255, one.charCodeAt(0) >> 8, 0, 0])),
    ],
    ['nothing known', Buffer.from([0x81, 0x8d, 0xff, 0xfe, 0xfd, 0x81, 0x81])],
  ])('is refused: %s', (_what, bytes) => {
    expect(decodePage('a.html', bytes)).toBeNull()
  })

  it('in UTF-8 stays as it is to the byte, whatever it declares', () => {
    for (const text of ['\ufeff<p>関所', '<meta charset=shift_jis><p>関所', '<p>plain']) {
      const bytes = Buffer.from(text)
      expect(preparePage('a.html', bytes, null)).toBe(bytes)
    }
  })

  it('of XHTML is HTML with the same elements', () => {
    const xhtml =
      '<?xml version="1.0"?><head><script src="a.js"/><style>/*<![CDATA[*/p{}/*]]>*/</style></head><a id="x"/><br/><svg><path d="M0"/></svg>'
    expect(decodePage('a.XHTML', Buffer.from(xhtml))?.text).toBe(
      '<?xml version="1.0"?><head><script src="a.js"></script><style>p{}</style></head><a id="x"></a><br/><svg><path d="M0"/></svg>',
    )
  })

  it('takes a script of the gate once', () => {
    const script = '<script src="/__gate/bar.js" defer></script>'
    const made = Buffer.from(preparePage('a.html', Buffer.from('<HEAD></HEAD><p>a'), script) ?? [])
    expect(made.toString()).toBe(`<HEAD>${script}</HEAD><p>a`)
    expect(preparePage('a.html', made, script)).toBe(made)
  })
})
