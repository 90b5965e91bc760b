/** One metric with its samples: `name{labels} value`, name and labels already formatted. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly (readonly [sample: string, value: number])[]
}

export function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: 'gauge', samples: [[name, value]] }
}

export function counter(name: string, help: string, value: number): Family {
  return { name, help, type: 'counter', samples: [[name, value]] }
}

export function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export function counters(
  name: string,
  help: string,
  label: string,
  counts: ReadonlyMap<string, number>,
): Family {
  const samples = [...counts].map(([value, count]) => [`${name}{${label}="${value}"}`, count] as const)
  return { name, help, type: 'counter', samples }
}

export function formatFamily({ name, help, type, samples }: Family): string {
  const lines = samples.map(([sample, value]) => `${sample} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}
