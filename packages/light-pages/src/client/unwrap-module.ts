type Namespace = { [name: string]: unknown }

/** A component carries its module's other exports as properties; JSON is its own default (as ComponentCreator does it). */
export function unwrapModule(namespace: Namespace, name: string): unknown {
  const isModule =
    namespace.__esModule === true || Object.prototype.toString.call(namespace) === '[object Module]'
  const value = isModule ? namespace.default : namespace
  if (value === undefined) throw new Error(`Module ${name} has no default export, so nothing can be rendered`)
  if (isModule && ((typeof value === 'object' && value !== null) || typeof value === 'function')) {
    for (const [key, other] of Object.entries(namespace)) {
      if (key !== 'default') Object.assign(value, { [key]: other })
    }
  }
  return value
}
