/** One step of a longer run, so that somebody waiting sees what is being waited for. */
export function step(message) {
  process.stdout.write(`\n▸ ${message}\n`)
}

/** Ends the run with one sentence instead of a stack. */
export function fail(message, code = 1) {
  process.stderr.write(`\n✖ ${message}\n`)
  process.exit(code)
}
