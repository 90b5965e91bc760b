import { createNodeServer } from '@sekisho/wire'
import type { GateConfig } from './config/gate-config.ts'
import { describeError, type Log } from './kernel/monitoring/log.ts'
import type { Metrics } from './kernel/monitoring/metrics.ts'
import { createRefusalLog, createRefusalResponse } from './kernel/wire-refusals.ts'

interface OpenServerOptions {
  readonly config: Pick<GateConfig, 'mode' | 'origin' | 'listen' | 'keepAliveMs'>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'countRefused'>
}

/** Opens the port, so that one that is taken is said before anything else is opened; nothing is answered yet. */
export async function openServer({ config, log, metrics }: OpenServerOptions) {
  const refusals = createRefusalLog(log)
  const server = createNodeServer({
    refusalResponse: createRefusalResponse({ local: config.mode === 'local' }),
    idleTimeoutMs: config.keepAliveMs,
    onProblem: (error) => log('debug', 'connection_failed', { error: describeError(error) }),
    onRefused(refusal, client) {
      metrics.countRefused(refusal.status)
      refusals.note(refusal, client)
    },
  })
  const port = await server.listen(config.listen.port, config.listen.host)
  return {
    server,
    port,
    origin: config.origin ?? new URL(`http://localhost:${port}`),
    async [Symbol.asyncDispose]() {
      await server.close(0)
      refusals.flush()
    },
  }
}
