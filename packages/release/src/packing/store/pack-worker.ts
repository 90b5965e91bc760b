import Tinypool from 'tinypool'
import {
  type BlobWriterOptions,
  createBlobWriter,
  type RouteToStore,
  type StoredRoute,
} from './blob-writer.ts'

const options: BlobWriterOptions = Tinypool.workerData
const writer = createBlobWriter(options)

/** Stores a batch of files; runs in a thread of the pool. */
export default function storeBatch(routes: readonly RouteToStore[]): readonly StoredRoute[] {
  return routes.flatMap((route) => writer.store(route))
}
