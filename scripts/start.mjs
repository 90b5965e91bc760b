import './assert-node.mjs'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, SEKISHO } from './build.mjs'
import { fail, step } from './console.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const port = readPort(process.env.PORT ?? '3000')
await assertPortIsFree(port)
const node = await prepare()
await build(node)
step('Starting the gate and the local identity service')
process.exitCode = await run(node, [SEKISHO, 'serve', '--local'], {
  cwd: ROOT,
  env: { ...process.env, PORT: String(port) },
})

function readPort(text) {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value < 1 || value > 65_535)
    fail(`PORT must be a whole number from 1 to 65535, but it is "${text}".`)
  return value
}

/** Asked before anything is built: nobody should wait a minute to hear that the port is taken. */
function assertPortIsFree(wanted) {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error) => {
      if (error.code === 'EACCES')
        fail(
          `Port ${wanted} needs more rights than you have: choose one above 1023, as in \`PORT=3100 npm start\`.`,
        )
      fail(
        `Port ${wanted} is taken: stop what uses it, or choose another one, as in \`PORT=${wanted + 1} npm start\`.`,
      )
    })
    probe.listen(wanted, '127.0.0.1', () => probe.close(resolve))
  })
}
