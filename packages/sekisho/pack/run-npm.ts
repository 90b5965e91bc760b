import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * Runs npm as the script that started us names it, so that no shell is needed; else the one on PATH.
 * @returns what it printed
 */
export async function runNpm(args: readonly string[], cwd = process.cwd()): Promise<string> {
  const script = process.env.npm_execpath
  const options = { cwd, maxBuffer: MAX_OUTPUT_BYTES }
  const isScript = script !== undefined && /\.c?js$/.test(script)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { stdout } = isScript
    ? await run(process.execPath, [script, ...args], options)
    : await run(npm, [...args], options)
  return stdout
}
