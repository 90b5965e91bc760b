import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMessages } from '@sekisho/contract/language'
import { type CommandIo, defineCommand } from '../../command.ts'
import { runServe } from '../../commands/serve.ts'
import { findPortObstacle } from '../../commands/start.ts'
import { languageOf, sayTo } from '../../language.ts'
import { SiteError } from '../../site/find-site.ts'
import { TEXTS } from '../../texts/index.ts'
import { runPack } from '../static-site/pack.ts'

const messageOf = createMessages(TEXTS, 'demo')

/** Settings of another portal, which a shell may still hold. */
const OF_ANOTHER = /^(?:SEKISHO_(?!LANG$|PORT$)|FIREBASE_|AWS_)/

const PAGES = ['index', 'expenses', 'onboarding', 'incidents'] as const

const STYLE = `body { max-width: 42rem; margin: 3rem auto; padding: 0 1.5rem; font: 1rem/1.9 system-ui, sans-serif; color: #1c2430 }
nav { display: flex; flex-wrap: wrap; gap: 1rem; margin-bottom: 2.5rem }
a { color: #0b57d0 }
code { padding: .1em .3em; border-radius: .25em; background: #eef1f5 }
@media (prefers-color-scheme: dark) { body { color: #e3e7ed; background: #14181f } a { color: #9ec1ff } code { background: #262d38 } }
`

/** Runs `sekisho demo` until a signal ends it: a portal in a temporary folder, which is removed at the end. */
export const runDemo = defineCommand(
  { name: 'demo', help: messageOf('demo_help'), options: {} },
  async (_read, io) => {
    const obstacle = await findPortObstacle(io)
    if (obstacle !== null) throw new SiteError(obstacle)
    const root = await mkdtemp(join(tmpdir(), 'sekisho-demo-'))
    const remove = () => rmSync(root, { recursive: true, force: true })
    process.once('exit', remove)
    try {
      return await serveFrom(root, io)
    } finally {
      remove()
    }
  },
)

async function serveFrom(root: string, io: CommandIo): Promise<number> {
  const own = Object.entries(io.env).filter(([name]) => !OF_ANOTHER.test(name))
  const env = { ...Object.fromEntries(own), SEKISHO_DATA_DIR: join(root, 'data') }
  const inside = { ...io, cwd: root, env }
  const site = join(root, 'site')
  await writePages(site, io)
  io.print(sayTo(io, messageOf('making', root)))
  const leave = () => process.exit(1) // the server takes over signals once it runs
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave)
  const packed = await runPack([site, '--bar'], { ...inside, print: () => {} })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leave)
  return packed === 0 ? await runServe(['--local'], inside) : packed
}

async function writePages(site: string, io: CommandIo): Promise<void> {
  const language = languageOf(io.env)
  const texts = TEXTS[language].demoPages
  const links = PAGES.map((page) => `<a href="${page}.html">${texts[`${page}_title`]}</a>`).join(' ')
  await mkdir(site, { recursive: true })
  await writeFile(join(site, 'style.css'), STYLE)
  for (const page of PAGES) {
    const title = texts[`${page}_title`]
    await writeFile(
      join(site, `${page}.html`),
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} | ${texts.site_title}</title><link rel="stylesheet" href="style.css">
<nav>${links}</nav><main><h1>${title}</h1>${texts[`${page}_body`]}</main></html>`,
    )
  }
}
