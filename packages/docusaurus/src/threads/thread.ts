import { parentPort, workerData } from 'node:worker_threads'
import type { CreateJob } from './run-in-threads.ts'

const { module, data } = workerData as { module: string; data: unknown }
const { createJob } = (await import(module)) as { createJob: CreateJob<unknown, unknown, unknown> }
const work = createJob(data)

parentPort?.on('message', (items: readonly unknown[]) => {
  parentPort?.postMessage(items.map((item) => work(item)))
})
