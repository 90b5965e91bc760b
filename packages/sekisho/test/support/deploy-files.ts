import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '@sekisho/contract/json-shape'
import { parseAllDocuments } from 'yaml'

export const DEPLOY = fileURLToPath(new URL('../../../../deploy/', import.meta.url))

/** The text of a file below `deploy/`. */
export const readDeployFile = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')

/** Every YAML file below `deploy/`, by its name there. */
export function listYamlFiles(): readonly string[] {
  return readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.ya?ml$/.test(name))
}

/** The documents of a YAML file; throws what is wrong with it, warnings and keys named twice included. */
export function readYaml(name: string): readonly unknown[] {
  const documents = parseAllDocuments(readDeployFile(name), { uniqueKeys: true, merge: true })
  if (!Array.isArray(documents)) throw new Error(`${name} is empty`)
  return documents.map((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw problem
    return document.toJS()
  })
}

/** Every value in a tree that stands under `key`. */
export function findAll(tree: unknown, key: string): readonly unknown[] {
  if (Array.isArray(tree)) return tree.flatMap((item) => findAll(item, key))
  if (!isRecord(tree)) return []
  const own = key in tree ? [tree[key]] : []
  return [...own, ...Object.values(tree).flatMap((value) => findAll(value, key))]
}

/** One instruction of a Dockerfile, such as `RUN`, with what follows it. */
interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The stages of a Dockerfile, each with its instructions. */
export function readDockerfile(text: string): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = []
  for (const line of text.split('\n')) {
    const [, name, rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === undefined || name === 'ARG') continue
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, rest })
  }
  return stages
}

/** `NAME=value` words, as in the `ENV` of a Dockerfile and the `Environment=` of a unit. */
export function readAssignments(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}
