/** A store whose methods block until the disk has answered. */
export type Blocking<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never
}

/** One call of a method of an engine's part. Calls that only read need not wait behind writers. */
export interface EngineCall {
  readonly part: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly kind: 'read' | 'write'
}

/** Calls an engine, in this thread or in one of its own. */
export type CallEngine = (call: EngineCall) => Promise<unknown>

/** Runs a call on an engine in this thread; {@link forwardCalls} makes them with the types of the store. */
export function runCall(parts: object, { part, method, args }: Omit<EngineCall, 'kind'>): unknown {
  return Reflect.get(Reflect.get(parts, part), method)(...args)
}

/** A store whose methods call those of the same names of an engine's part. */
export function forwardCalls<Store extends object>(
  call: CallEngine,
  part: string,
  methods: Readonly<Record<keyof Store & string, EngineCall['kind']>>,
): Store {
  const all = Object.entries<EngineCall['kind']>(methods).map(([method, kind]) => {
    return [method, (...args: readonly unknown[]) => call({ part, method, args, kind })] as const
  })
  return Object.fromEntries(all) as Store
}
