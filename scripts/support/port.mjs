import net from 'node:net'
import { fail, say } from './console.mjs'

/** The port that `PORT` names, else 3000. */
export function readPort(text = process.env.PORT ?? '3000') {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value < 1 || value > 65_535) fail(say('portNoNumber', text))
  return value
}

/** Checks the port before building: a taken one is then reported at once. */
export function assertPortIsFree(wanted, command) {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error) => {
      fail(say(error.code === 'EACCES' ? 'portForbidden' : 'portTaken', wanted, command))
    })
    probe.listen(wanted, '127.0.0.1', () => probe.close(resolve))
  })
}
