import { encodePath } from '@sekisho/contract/canonical-path'

/** Values that fill a template of the threat tables. */
export interface TemplateSubject {
  /** Decoded canonical path of the requested file. */
  readonly path: string
  readonly host: string
  /** Digest of the requested file, as a stolen validator would hold it. */
  readonly sha256: string
}

type Filter = (value: string, argument: string, subject: TemplateSubject) => string

const FILTERS: Readonly<Record<string, Filter>> = {
  'encode-first': (value) =>
    value.replace(
      /^((?:%[0-9A-F]{2}|[^A-Za-z0-9%])*)([A-Za-z0-9])/,
      (_, before, letter) => before + hex(letter),
    ),
  'encode-all': (value) => decodedBytes(value).replace(/[^/]/g, (byte) => hex(byte)),
  'lower-hex': (value) => value.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  again: (value, count) => {
    let text = value
    for (let round = 0; round < Number(count); round += 1) text = text.replaceAll('%', '%25')
    return text
  },
  upper: (value) => value.replace(/%[0-9A-F]{2}|[a-z]/g, (part) => part.toUpperCase()),
  raw: (value) => decodedBytes(value),
  nfd: (value) => encodeURI(decodeURI(value).normalize('NFD')),
  'full-width': (value) => encodeURI(decodeURI(value).replace(/[A-Za-z0-9]/g, fullWidth)),
  'full-width-slash': (value) => `/${encodeURI(decodeURI(value.slice(1)).replaceAll('/', '\uff0f'))}`,
  // What no short name can hold is "_" there; left out, a folder of Japanese would leave an empty segment, which is another matter.
  'short-name': (value) =>
    `${value
      .replace(/(?:%[0-9A-F]{2})+/g, '_')
      .slice(0, 7)
      .toUpperCase()}~1`,
  first: (value, count) => value.slice(0, Number(count)),
}

/** Fills a template such as `{dir}%2F{leaf|upper}` and returns a byte string for the wire. */
export function fillTemplate(template: string, subject: TemplateSubject): string {
  return template.replace(
    /\{([a-z0-9]+)((?::[^{}|]+)?)((?:\|[a-z0-9-]+(?::\d+)?)*)\}/g,
    (_, name, argument, filters) => {
      let value = placeholder(String(name), String(argument), subject)
      for (const filter of String(filters).split('|').slice(1)) {
        const [filterName = '', count = ''] = filter.split(':')
        const apply = FILTERS[filterName]
        if (apply === undefined) throw new RangeError(`no template filter is called ${filterName}`)
        value = apply(value, count, subject)
      }
      return value
    },
  )
}

function placeholder(name: string, argument: string, subject: TemplateSubject): string {
  const path = encodePath(subject.path)
  const split = path.lastIndexOf('/', path.length - 2)
  switch (name) {
    case 'path':
      return path
    case 'dir':
      return path.slice(0, Math.max(split, 0))
    case 'leaf':
      return path.slice(split + 1)
    case 'rest':
      return path.slice(1)
    case 'host':
      return subject.host
    case 'sha256':
      return subject.sha256
    case 'repeat': {
      const [, text = '', count = '0'] = /^:([\s\S]*):(\d+)$/.exec(argument) ?? []
      return text.repeat(Number(count))
    }
    default:
      throw new RangeError(`no template placeholder is called ${name}`)
  }
}

function decodedBytes(path: string): string {
  return path.replace(/%([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function hex(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** U+FF01–U+FF5E are the full-width forms of U+0021–U+007E. */
function fullWidth(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 0xfee0)
}
