import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HOST, isListening } from '../../packages/sekisho/test/support/serving-gate.ts'

const RECIPES = new URL('../../deploy/proxies/', import.meta.url)
const APACHE_MODULES = '/usr/lib/apache2/modules'

/** Test place of a recipe: ephemeral ports, and a folder with the certificate for its files. */
interface ProxyPlace {
  readonly folder: string
  readonly port: number
  readonly gatePort: number
  /** Of several gates, the first among them; each gets a line of its own. */
  readonly gatePorts?: readonly number[]
  /** Forwards the names of previews too, by the line of the recipes' README. */
  readonly hasPreviews?: boolean
}

/** One recipe of `deploy/proxies`, and how a machine that has the Debian package runs it. */
export interface ProxyRecipe {
  readonly name: string
  readonly debianPackage: string
  readonly file: string
  readonly binary: string
  /** Requests the gate's health itself, at its address. */
  readonly checksHealth: boolean
  readonly args: (configFile: string, place: ProxyPlace) => readonly string[]
  /** The recipe with the line for previews. */
  readonly withPreviews: (recipe: string, line: string) => string
  /** The whole configuration around the recipe, as a distribution would bring it. */
  readonly around: (recipe: string, place: ProxyPlace) => string
}

export const PROXIES: readonly ProxyRecipe[] = [
  {
    name: 'nginx',
    debianPackage: 'nginx',
    file: 'nginx.conf',
    binary: '/usr/sbin/nginx',
    checksHealth: false,
    args: (configFile, { folder }) => ['-p', folder, '-e', join(folder, 'error.log'), '-c', configFile],
    withPreviews: (recipe, line) => recipe.replace(`server_name ${HOST};`, line),
    around: (recipe, { folder, port }) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  gzip on;
  ${recipe.replace('listen 443', `listen 127.0.0.1:${port}`)}
}`,
  },
  {
    name: 'HAProxy',
    debianPackage: 'haproxy',
    file: 'haproxy.cfg',
    binary: '/usr/sbin/haproxy',
    checksHealth: true,
    args: (configFile) => ['-db', '-q', '-f', configFile],
    withPreviews: (recipe) => recipe,
    around: (recipe, { port, gatePorts = [] }) => {
      const further = gatePorts.slice(1).map((one, n) => `    server gate-${n + 2} 127.0.0.1:${one}`)
      return `global\n${[recipe.replace('bind :443', `bind 127.0.0.1:${port}`), ...further, ''].join('\n')}`
    },
  },
  {
    name: 'Caddy',
    debianPackage: 'caddy',
    file: 'Caddyfile',
    binary: '/usr/bin/caddy',
    checksHealth: true,
    args: (configFile) => ['run', '--adapter', 'caddyfile', '--config', configFile],
    withPreviews: (recipe, line) => recipe.replace(`${HOST} {`, line),
    around: (recipe, { port, folder }) => `{
  admin off
  auto_https disable_redirects
  default_bind 127.0.0.1
  storage file_system ${folder}/caddy
  log { 
    level ERROR
  }
}
${recipe.replace(/^docs\..*\{$/m, (names) => names.replace(/\.jp/g, `.jp:${port}`))}`,
  },
  {
    name: 'Apache',
    debianPackage: 'apache2',
    file: 'apache.conf',
    binary: '/usr/sbin/apache2',
    checksHealth: true,
    args: (configFile) => ['-DFOREGROUND', '-f', configFile],
    withPreviews: (recipe, line) => recipe.replace(`ServerName ${HOST}`, `$&\n    ${line}`),
    around: (recipe, { port, folder }) => `
ServerRoot ${folder}
ServerName ${HOST}
DefaultRuntimeDir ${folder}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
User www-data
Group www-data
${apacheModules(recipe)
  .map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so`)
  .join('\n')}
${recipe.replace('*:443', `127.0.0.1:${port}`)}`,
  },
]

/** Those that Debian has switched on, and those that the recipe's own comment names. */
function apacheModules(recipe: string): string[] {
  const named = /# a2enmod (.*)/.exec(recipe)?.[1]?.split(' ') ?? []
  return [
    'mpm_event',
    'authz_core',
    'filter',
    'deflate',
    'reqtimeout',
    'socache_shmcb',
    'slotmem_shm',
    'env',
    ...named,
  ]
}

/** A proxy in a process of its own. */
interface RunningProxy extends AsyncDisposable {
  readonly child: ChildProcess
}

/** Starts a recipe as it stands in its file, with nothing but ports, folders and the gate's address replaced. */
export async function startProxy(proxy: ProxyRecipe, place: ProxyPlace): Promise<RunningProxy> {
  const written = await readFile(new URL(proxy.file, RECIPES), 'utf8')
  const recipe = (
    place.hasPreviews === true ? proxy.withPreviews(written, await readPreviewLine(proxy)) : written
  )
    .replaceAll('/etc/ssl/sekisho', place.folder)
    .replaceAll('/etc/sekisho', fileURLToPath(RECIPES).replace(/\/$/, ''))
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${place.gatePort}`)
  const configFile = join(place.folder, proxy.file)
  await writeFile(configFile, proxy.around(recipe, place))
  const child = spawn(proxy.binary, proxy.args(configFile, place), {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  while (!(await isListening(place.port))) {
    if (child.exitCode !== null) throw new Error(`${proxy.name} ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Line for previews in the recipes' README; empty where none is needed. */
async function readPreviewLine({ name }: ProxyRecipe): Promise<string> {
  const readme = await readFile(new URL('README.md', RECIPES), 'utf8')
  const row = new RegExp(`^\\| ${name} \\| (?:\`(?<line>[^\`]+)\`|nothing:).*\\|$`, 'm').exec(readme)
  if (row === null) throw new Error(`deploy/proxies/README.md has no row about previews behind ${name}`)
  return row.groups?.line ?? ''
}
