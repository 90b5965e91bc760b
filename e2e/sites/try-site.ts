import { appendFile, mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import { findFreePort } from '../support/product.ts'
import { BASE_PAGES, writeSite } from './base-site.ts'
import { EXPECTED } from './expected.ts'
import type { Fixture } from './fixture.ts'
import { type CommandResult, runMeasured, startServer } from './measured-command.ts'
import { compareFaces, readFace, type Weight } from './page-face.ts'
import { enter, openContext, openPage, visitOf } from './reader.ts'

/** Result of a site. */
export interface Outcome {
  readonly name: string
  readonly stock?: Cost
  readonly gated?: Cost
  /** Pages that were laid side by side. */
  readonly compared: number
  /** Differences that are in no list, and clicks that failed; empty when all is well. */
  readonly problems: readonly string[]
}

type Cost = Pick<CommandResult, 'ms' | 'peakBytes'> & Weight

interface Commands {
  readonly docusaurus: string
  readonly sekisho: string
}

/** Builds a site without and with the gate, lays them side by side, and clicks through the gated one. */
export async function trySite(fixture: Fixture, folder: string, browser: Browser): Promise<Outcome> {
  const { name } = fixture
  try {
    const { stock, gated, problems } = await buildBoth(fixture, folder)
    const faces = await compareSites(fixture, folder, browser)
    return {
      name,
      stock: { ...stock, ...faces.stock },
      gated: { ...gated, ...faces.gated },
      compared: faces.compared,
      problems: [...problems, ...faces.problems],
    }
  } catch (error) {
    return { name, compared: 0, problems: [String(error instanceof Error ? error.message : error)] }
  }
}

function commandsOf(folder: string): Commands {
  const require = createRequire(join(folder, 'package.json'))
  return {
    docusaurus: join(dirname(require.resolve('@docusaurus/core/package.json')), 'bin', 'docusaurus.mjs'),
    sekisho: join(
      dirname(require.resolve('sekisho/package.json')),
      require('sekisho/package.json').bin.sekisho,
    ),
  }
}

async function buildBoth(fixture: Fixture, folder: string) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeSite(folder, fixture)
  const { docusaurus, sekisho } = commandsOf(folder)
  const problems: string[] = []
  if (fixture.before !== undefined) await runMeasured([docusaurus, ...fixture.before], folder)
  const stock = await runMeasured([docusaurus, 'build'], folder)
  await rename(join(folder, 'build'), join(folder, 'stock'))
  await Promise.all(
    ['.docusaurus', 'node_modules'].map((made) => rm(join(folder, made), { recursive: true, force: true })),
  )
  const init = await runMeasured([sekisho, 'init', '--yes'], folder)
  for (const says of fixture.init ?? [])
    if (!says.test(init.output)) problems.push(`init does not say ${says}:\n${init.output}`)
  if (fixture.grants !== undefined)
    await appendFile(join(folder, 'sekisho.env'), `\nSEKISHO_CSP_ALLOW="${fixture.grants}"\n`)
  const env = fixture.proposes === undefined ? {} : { SEKISHO_CSP_ALLOW: '' }
  const gated = await runMeasured([sekisho, 'build'], folder, env)
  const proposed = /SEKISHO_CSP_ALLOW="(.*)"/.exec(stripVTControlCharacters(gated.output))?.[1]
  if (proposed !== fixture.proposes) problems.push(`the build proposes ${proposed}, not ${fixture.proposes}`)
  return { stock, gated, problems }
}

async function compareSites(fixture: Fixture, folder: string, browser: Browser) {
  const { docusaurus, sekisho } = commandsOf(folder)
  const baseUrl = fixture.baseUrl ?? '/'
  const [stockPort, gatePort] = [await findFreePort(), await findFreePort()]
  const stockOrigin = `http://localhost:${stockPort}`
  const gateOrigin = `http://localhost:${gatePort}`
  const serving = ['serve', '--dir', 'stock', '--port', String(stockPort), '--no-open']
  await using _stock = await startServer([docusaurus, ...serving], folder, {}, /Serving .* at/)
  const ready = /Sekisho is ready/
  await using _gate = await startServer(
    [sekisho, 'serve', '--local'],
    folder,
    { PORT: String(gatePort) },
    ready,
  )

  const { resolve } = createRequire(join(folder, 'package.json'))
  const elsewhere = Object.entries(fixture.elsewhere ?? {})
  const scripts = Object.fromEntries(elsewhere.map(([address, module]) => [address, resolve(module)]))
  const stockContext = await openContext(browser, stockOrigin, scripts)
  const gateContext = await openContext(browser, gateOrigin, scripts)
  try {
    const stockPage = await stockContext.newPage()
    const gatePage = await gateContext.newPage()
    await enter(gatePage, `${gateOrigin}${baseUrl}`)
    const problems: string[] = []
    const weights: { stock: Weight; gated: Weight }[] = []
    const visit = visitOf(gatePage, gateOrigin, fixture)
    const paths = new Set([...BASE_PAGES, ...fixture.pages])
    for (const path of paths) {
      const lookAt = async (page: Page, origin: string) => {
        const messages = await openPage(page, origin + visit.link(path))
        await fixture.unfold?.(page, path)
        return readFace(page, messages)
      }
      const [stock, gated] = await Promise.all([lookAt(stockPage, stockOrigin), lookAt(gatePage, gateOrigin)])
      weights.push({ stock: stock.weight, gated: gated.weight })
      const expected = [...EXPECTED, ...(fixture.expected ?? [])]
      const lines = compareFaces(stock, gated).filter((line) => !expected.some((one) => one.line.test(line)))
      problems.push(...lines.map((line) => `/${path} ${line}`))
      const [before, now] = [stock.weight.unpackedBytes, gated.weight.unpackedBytes]
      if (fixture.isLight === true && now > before)
        problems.push(`/${path} weighs ${now} bytes, stock ${before}`)
    }
    try {
      await fixture.click?.(visit)
    } catch (error) {
      problems.push(
        `click: ${stripVTControlCharacters(String(error instanceof Error ? error.message : error))}`,
      )
    }
    const [first] = weights
    if (first === undefined) throw new Error('no page was compared')
    return { ...first, compared: paths.size, problems }
  } finally {
    await stockContext.close()
    await gateContext.close()
  }
}

/** The cost of each site beside its stock build, as a table of Markdown. */
export function printTable(outcomes: readonly Outcome[]): void {
  console.log(
    '\n| site | pages compared | build s | memory MB | page unpacked KB | as the gate sends it KB | differs |\n|---|---|---|---|---|---|---|',
  )
  const both = (stock: number, gated: number, unit: number, digits = 0) =>
    `${(stock / unit).toFixed(digits)} → ${(gated / unit).toFixed(digits)}`
  for (const { name, stock, gated, compared, problems } of outcomes) {
    const costs =
      stock === undefined || gated === undefined
        ? ['–', '–', '–', '–']
        : [
            both(stock.ms, gated.ms, 1000, 1),
            both(stock.peakBytes, gated.peakBytes, 1e6),
            both(stock.unpackedBytes, gated.unpackedBytes, 1e3),
            (gated.sentBytes / 1e3).toFixed(0),
          ]
    console.log(
      `| ${[name, compared, ...costs, problems.length === 0 ? 'nothing' : problems.length].join(' | ')} |`,
    )
  }
}
