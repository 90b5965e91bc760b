import { statSync } from 'node:fs'
import path from 'node:path'
import { decodeOrSame } from '@sekisho/contract/canonical-path'
import { inSiteLanguage } from './site-language.ts'
import { problemOf } from './texts/index.ts'

const MAX_BYTES = 5_000_000
const IMAGE = /!\[[^\]]*\]\(<?([^)\s>]+)/g

/**
 * Pictures of a page that are too large for its readers, those of its own folder and of the site's `static`.
 * @returns a sentence in the site's language for each, with file and line
 */
export function findHeavyImages(siteDir: string, filePath: string, markdown: string): string[] {
  const file = path.relative(siteDir, filePath)
  return markdown.split('\n').flatMap((line, index) =>
    [...line.matchAll(IMAGE)].flatMap(([, address = '']) => {
      const image = decodeOrSame(address, decodeURI)
      const own = path.resolve(path.dirname(filePath), image)
      const bytes = sizeOf(image.startsWith('/') ? path.join(siteDir, 'static', image) : own)
      if (bytes <= MAX_BYTES) return []
      const megabytes = (bytes / 1_000_000).toFixed(1)
      return [inSiteLanguage(problemOf('heavy_image', `${file}:${index + 1}`, image, megabytes))]
    }),
  )
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
