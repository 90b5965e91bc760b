import { monitorEventLoopDelay } from 'node:perf_hooks'

/** An idle process: its event loop's delay shows the load of the machine itself. Answers each message with the latest, in ms. */
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
process.on('message', () => {
  process.send?.(delay.max / 1e6)
  delay.reset()
})
