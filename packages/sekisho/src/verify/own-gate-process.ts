import type { GateConfig } from '@sekisho/gate'
import { createTrustedProxies, readPolicy, startGate } from '@sekisho/gate'

const HOUR_MS = 3_600_000

/**
 * The gate that verify starts when it is given no URL: the product's own `startGate` on a free loopback port, with
 * no identity service configured, so that nobody can sign in. Runs as a process of its own, for the second core.
 */
function ownConfig(dataDir: string, title: string, tagline: string): GateConfig {
  return {
    mode: 'local',
    origin: null,
    listen: { host: '127.0.0.1', port: 0 },
    dataDir,
    site: { title, tagline },
    identity: { firebase: null, problems: [] },
    access: { policy: readPolicy([], []).policy },
    sessions: {
      idleMs: HOUR_MS,
      absoluteMs: HOUR_MS,
      reproofIntervalMs: HOUR_MS,
      reproofGraceMs: HOUR_MS,
    },
    trustedProxies: createTrustedProxies([]),
    keepAliveMs: 65_000,
    secret: null,
    searchLogDays: 0,
    metricsPort: null,
    logLevel: 'error',
  }
}

const [dataDir = '', title = '', tagline = ''] = process.argv.slice(2)
const gate = await startGate(ownConfig(dataDir, title, tagline), (line) => process.stderr.write(line))
process.once('disconnect', () => void gate.close().then(() => process.exit(0)))
process.send?.({ port: Number(gate.origin.port), host: gate.origin.host })
