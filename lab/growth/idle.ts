import { monitorEventLoopDelay } from 'node:perf_hooks'

/** A process that does nothing: how late its event loop is tells what the machine takes of everybody. Answers each message with the latest, in ms. */
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
process.on('message', () => {
  process.send?.(delay.max / 1e6)
  delay.reset()
})
