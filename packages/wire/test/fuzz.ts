import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `npm run fuzz:wire -- SECONDS`: the comparison with llhttp for an hour, or for so many seconds. */
const [seconds = '3600'] = process.argv.slice(2)
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
const args = [vitest, 'run', 'packages/wire/test/llhttp.test.ts', '-t', 'nothing that llhttp reads otherwise']
const env = { ...process.env, FUZZ_SECONDS: seconds }
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1
