import { fail, say } from './console.mjs'

// Imported before anything else that runs: whatever comes later may need what an older Node does not have.
const major = Number(process.versions.node.split('.')[0])
if (major < 20) fail(say('nodeTooOld', process.versions.node))
