import { parentPort, workerData } from 'node:worker_threads'
import { type BlobWriterOptions, createBlobWriter, type RouteToStore } from './blob-writer.ts'

const writer = createBlobWriter(workerData as BlobWriterOptions)

parentPort?.on('message', (routes: readonly RouteToStore[]) => {
  parentPort?.postMessage(routes.map((route) => writer.store(route)))
})
