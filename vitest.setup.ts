import { afterAll } from 'vitest'

/** Test files share a process: what one sets in the environment is none of the next one's. */
const before = { ...process.env }
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
})
