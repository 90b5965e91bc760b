import {
  type ApiDocument,
  METHODS,
  type Method,
  type Operation,
  type Parameter,
  type PathItem,
  type Reference,
  resolve,
  type Server,
} from './document.ts'
import { slug } from './markdown-text.ts'
import type { ApiTexts } from './texts/api-texts.ts'

/** An operation, with what its path says for all of its operations. */
export interface ApiOperation {
  readonly method: Method
  /** The name of a webhook, where `isWebhook`. */
  readonly path: string
  readonly isWebhook: boolean
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
  readonly server: Server
  readonly title: string
  /** The name of its page's file, without ending. */
  readonly file: string
}

/** Operations that have a tag in common; an operation stands below its first tag alone. */
export interface OperationGroup {
  readonly name: string
  readonly description: string | undefined
  /** The name of its folder. */
  readonly folder: string
  readonly operations: readonly ApiOperation[]
}

/** Every operation by its tag: first in the order of the document's `tags`, then as they come. */
export function groupOperations(
  document: ApiDocument,
  texts: ApiTexts,
  taken: readonly string[],
): OperationGroup[] {
  const named = new Map((document.tags ?? []).map(({ name, description }) => [name, description]))
  const byTag = new Map<string, Found[]>([...named.keys()].map((name) => [name, []]))
  const found = [...inside(document, document.paths, false), ...inside(document, document.webhooks, true)]
  for (const one of found) {
    const tag = one.operation.tags?.[0] ?? (one.isWebhook ? texts.webhooks : texts.others)
    byTag.set(tag, [...(byTag.get(tag) ?? []), one])
  }
  const folderOf = uniqueSlugs(taken)
  return [...byTag].flatMap(([name, operations]) => {
    if (operations.length === 0) return []
    const fileOf = uniqueSlugs(['index', 'readme'])
    return {
      name,
      description: named.get(name),
      folder: folderOf(name),
      operations: operations.map((one) => ({
        ...one,
        file: fileOf(one.operation.operationId ?? `${one.method} ${one.path}`),
      })),
    }
  })
}

type Found = Omit<ApiOperation, 'file'>

function inside(
  document: ApiDocument,
  items: Record<string, Reference | PathItem> | undefined,
  isWebhook: boolean,
): Found[] {
  return Object.entries(items ?? {}).flatMap(([path, given]) => {
    const item = resolve<PathItem>(document, given)
    return METHODS.flatMap((method): Found[] => {
      const operation = item[method]
      if (operation === undefined) return []
      const server = (operation.servers ?? item.servers ?? document.servers ?? [])[0] ?? { url: '/' }
      const own = readParameters(document, operation.parameters)
      const isOwn = ({ name, in: place }: Parameter) =>
        own.some((one) => one.name === name && one.in === place)
      const shared = readParameters(document, item.parameters).filter((one) => !isOwn(one))
      const title = operation.summary ?? operation.operationId ?? `${method.toUpperCase()} ${path}`
      return [{ method, path, isWebhook, operation, parameters: [...shared, ...own], server, title }]
    })
  })
}

const readParameters = (document: ApiDocument, list: readonly (Reference | Parameter)[] = []): Parameter[] =>
  list.map((one) => resolve<Parameter>(document, one))

/** Gives each name an address of its own, by number where two names give the same one. */
export function uniqueSlugs(taken: readonly string[]): (name: string) => string {
  const given = new Set(taken)
  return (name) => {
    const base = slug(name) || 'x'
    let address = base
    for (let number = 2; given.has(address); number += 1) address = `${base}-${number}`
    given.add(address)
    return address
  }
}
