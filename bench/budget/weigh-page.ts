import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compress } from '../browser/serve-folder.ts'

/** Cost of a prerendered page before hydration: bytes of brotli, and requests. */
interface PageWeight {
  htmlBytes: number
  cssBytes: number
  jsBytes: number
  requests: number
  /** Addresses of another origin that the page loads something from. */
  foreign: string[]
}

/** Weighs pages of one build; what several pages share, or is weighed again, is compressed once. */
export function createScales(buildDir: string): (file: string) => PageWeight {
  const sizes = new Map<string, number>()
  const sizeOf = (file: string): number => {
    const known = sizes.get(file) ?? compress(readFileSync(join(buildDir, file))).byteLength
    sizes.set(file, known)
    return known
  }
  return (file) => {
    const loaded = listLoaded(readFileSync(join(buildDir, file), 'utf8'))
    const own = loaded.filter((address) => /^\/[^/]/.test(address))
    const sum = (extension: string) =>
      own
        .filter((path) => path.endsWith(extension))
        .reduce((total, path) => total + sizeOf(decodeURIComponent(path)), 0)
    return {
      htmlBytes: sizeOf(file),
      cssBytes: sum('.css'),
      jsBytes: sum('.js'),
      requests: 1 + own.length,
      foreign: loaded.filter((address) => !/^\/[^/]/.test(address)),
    }
  }
}

const ELEMENT = /<(?:script|link)\b[^>]*>/g
const SCRIPT = /^<script\b[^>]*\ssrc=["']?([^"'\s>]+)/
const STYLE = /^<link\b(?=[^>]*\srel=["']?stylesheet)[^>]*\shref=["']?([^"'\s>]+)/

/** Addresses of the scripts and style sheets that the page names, each once. */
export function listLoaded(html: string): string[] {
  const addresses = [...html.matchAll(ELEMENT)].flatMap(
    ([element]) => SCRIPT.exec(element)?.[1] ?? STYLE.exec(element)?.[1] ?? [],
  )
  return [...new Set(addresses)]
}
