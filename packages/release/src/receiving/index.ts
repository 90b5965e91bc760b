export type { InspectIndex, LocalIndex } from './inspect-indexes.ts'
export type { ShownReaders } from './preview-claims.ts'
export {
  createReceiver,
  mayKnowServed,
  type Receiver,
  type ReceiverOptions,
  RefusedPublishError,
} from './receiver.ts'
export { openServedFiles, type ServedFiles } from './served-files.ts'
