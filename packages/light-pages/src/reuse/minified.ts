import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Compiler } from '@rspack/core'

/** Minified text by a hash of the text before and of the minifier, with the number of builds since the last that used it. */
type Kept = Record<string, { readonly text: string; readonly unused: number }>

/** Builds for which unused text is kept: each edition and language is a build of its own, and most share a chunk. */
const KEPT_BUILDS = 16

/**
 * Minifies only the chunks that changed since an earlier build: the bundler's persistent cache holds modules, and minifying all chunks
 * again took half of bundling after an edit (decisions/066).
 *
 * @param file where minified chunks are kept; one that cannot be read counts as empty
 */
export const keepMinified = (file: string) => (compiler: Compiler) => {
  const { Compilation, rspackVersion, sources } = compiler.webpack
  const plugin = 'sekisho-keep-minified'
  const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE
  compiler.hooks.thisCompilation.tap(plugin, (compilation) => {
    const { minimize, minimizer } = compiler.options.optimization
    if (!minimize) return
    const minifier = JSON.stringify([rspackVersion, minimizer])
    const kept = readKept(file)
    const used: Kept = {}
    const missing = new Map<string, string>()
    compilation.hooks.processAssets.tap({ name: plugin, stage: stage - 1 }, (assets) => {
      for (const [name, source] of Object.entries(assets)) {
        if (!name.endsWith('.js')) continue
        const key = hash('sha256', `${minifier}\n${source.source()}`)
        const found = kept[key]
        if (found === undefined) {
          missing.set(name, key)
          continue
        }
        used[key] = { text: found.text, unused: 0 }
        compilation.updateAsset(name, new sources.RawSource(found.text), { minimized: true })
      }
    })
    compilation.hooks.processAssets.tap({ name: plugin, stage: stage + 1 }, (assets) => {
      for (const [name, key] of missing)
        if (compilation.getAsset(name)?.info.minimized)
          used[key] = { text: String(assets[name]?.source()), unused: 0 }
      for (const [key, { text, unused }] of Object.entries(kept))
        if (unused < KEPT_BUILDS) used[key] ??= { text, unused: unused + 1 }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(used))
    })
  })
}

function readKept(file: string): Kept {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
