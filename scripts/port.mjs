import net from 'node:net'
import { fail } from './console.mjs'

/** The port that `PORT` names, else 3000. */
export function readPort(text = process.env.PORT ?? '3000') {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value < 1 || value > 65_535)
    fail(`PORT must be a whole number from 1 to 65535, but it is "${text}".`)
  return value
}

/** Asked before anything is built: nobody should wait a minute to hear that the port is taken. */
export function assertPortIsFree(wanted, command) {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error) => {
      if (error.code === 'EACCES')
        fail(
          `Port ${wanted} needs more rights than you have: choose one above 1023, as in \`PORT=3100 npm ${command}\`.`,
        )
      fail(
        `Port ${wanted} is taken: stop what uses it, or choose another one, as in \`PORT=${wanted + 1} npm ${command}\`.`,
      )
    })
    probe.listen(wanted, '127.0.0.1', () => probe.close(resolve))
  })
}
