import { appendFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** For the trial: each sync of a file is noted with when it began and ended, on a disk that is not cut. */
const { SYNC_NOTES = '' } = process.env
const handle = await open('/dev/null')
const prototype = Object.getPrototypeOf(handle)
const { datasync } = prototype
prototype.datasync = async function noted(...args: unknown[]) {
  appendFileSync(SYNC_NOTES, `began ${Date.now()}\n`)
  await Reflect.apply(datasync, this, args)
  appendFileSync(SYNC_NOTES, `ended ${Date.now()}\n`)
}
await handle.close()
