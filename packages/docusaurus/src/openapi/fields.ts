import { type ApiDocument, resolve, type Schema, type SchemaObject, schemaName } from './document.ts'
import { code, description, indent, value } from './markdown-text.ts'
import type { ApiTexts } from './texts/api-texts.ts'

/** The page, for links, and its source. */
export interface FieldsContext {
  readonly document: ApiDocument
  readonly texts: ApiTexts
  /** The link from this page to the page of a schema below `components`. */
  readonly schemaHref: (name: string) => string
}

const asObject = (schema: Schema): SchemaObject => (typeof schema === 'boolean' ? {} : schema)

/** A schema without its `$ref`; what stands beside the reference goes before what it leads to. */
function read(schema: Schema, { document }: FieldsContext): SchemaObject {
  const object = asObject(schema)
  if (object.$ref === undefined) return object
  const { $ref, ...beside } = object
  return { ...asObject(resolve<object>(document, { $ref }) as Schema), ...beside }
}

/** Type of a value: `string (date-time)`, `[Page](…) の配列`. */
export function typeOf(schema: Schema, context: FieldsContext): string {
  const { texts } = context
  const object = asObject(schema)
  const name = object.$ref === undefined ? null : schemaName(object.$ref)
  if (name !== null) return `[${code(name)}](${context.schemaHref(name)})`
  const { type, nullable, format, items, oneOf, anyOf, allOf, ...rest } = read(schema, context)
  const options = oneOf ?? anyOf
  if (options !== undefined) return options.map((option) => typeOf(option, context)).join(texts.or)
  if (allOf?.length === 1 && type === undefined) return typeOf(allOf[0] ?? true, context)
  if (rest.const !== undefined) return value(rest.const)
  const given = type === undefined ? [] : [type].flat()
  const inferred = rest.properties !== undefined || allOf !== undefined ? ['object'] : []
  const types = [...(given.length === 0 ? inferred : given), ...(nullable === true ? ['null'] : [])]
  if (types.length === 0) return rest.enum === undefined ? texts.anything : code('enum')
  return types
    .map((one) => {
      if (one === 'array' && items !== undefined) return texts.listOf(typeOf(items, context))
      return format === undefined || one === 'null' ? code(one) : `${code(one)} (${format})`
    })
    .join(texts.or)
}

/** Limits, defaults and examples of a value, each by itself. */
function remarksOf(schema: Schema, context: FieldsContext): string[] {
  const { texts } = context
  const it = read(schema, context)
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum } = it
  const range = (from: number | undefined, to: number | undefined, unit: 'value' | 'chars' | 'items') =>
    from === undefined && to === undefined ? [] : [texts.range(from, to, unit)]
  // In 3.0 these two say whether the limits beside them are allowed.
  const lowest = above === true ? undefined : minimum
  const highest = below === true ? undefined : maximum
  const over = above === true ? minimum : above
  const under = below === true ? maximum : below
  const example = it.example ?? it.examples?.[0]
  return [
    ...(it.enum === undefined ? [] : [texts.values(it.enum.map(value).join(texts.comma))]),
    ...range(lowest, highest, 'value'),
    ...(typeof over === 'number' ? [texts.more(over)] : []),
    ...(typeof under === 'number' ? [texts.less(under)] : []),
    ...range(it.minLength, it.maxLength, 'chars'),
    ...range(it.minItems, it.maxItems, 'items'),
    ...(it.multipleOf === undefined ? [] : [texts.multipleOf(it.multipleOf)]),
    ...(it.pattern === undefined ? [] : [`${texts.pattern} ${code(it.pattern)}`]),
    ...(it.uniqueItems === true ? [texts.unique] : []),
    ...(it.readOnly === true ? [texts.readOnly] : []),
    ...(it.writeOnly === true ? [texts.writeOnly] : []),
    ...(it.default === undefined ? [] : [texts.fallback(value(it.default))]),
    ...(example === undefined || typeof example === 'object' ? [] : [texts.exampleOf(value(example))]),
  ]
}

/** One named value: a parameter, a header or a property. */
export interface Field {
  readonly name: string
  readonly schema: Schema
  readonly required?: boolean | undefined
  readonly deprecated?: boolean | undefined
  readonly description?: string | undefined
}

/** Named values as a list, each with what it is, what it may be and what it is for. */
export function fieldList(fields: readonly Field[], context: FieldsContext): string {
  const { texts } = context
  return fields
    .map((field) => {
      const it = read(field.schema, context)
      const facts = [
        typeOf(field.schema, context),
        ...(field.required === true ? [texts.required] : []),
        ...(field.deprecated === true || it.deprecated === true ? [texts.deprecated] : []),
        ...remarksOf(field.schema, context),
      ]
      const parts = [
        `${code(field.name)}: ${facts.join(texts.between)}`,
        description(field.description ?? it.description, 4),
        isNamed(field.schema) ? '' : bodyOf(field.schema, context),
      ]
      return `- ${indent(parts.filter((part) => part !== '').join('\n\n')).trimStart()}`
    })
    .join('\n\n')
}

/** Tells if the schema has a page of its own, or is a list of one that has. */
function isNamed(schema: Schema): boolean {
  const { $ref, items } = asObject(schema)
  if ($ref !== undefined) return schemaName($ref) !== null
  return items !== undefined && isNamed(items)
}

/**
 * Contents of a value, as lists: fields, items, and each alternative. Schemas with their own page expand only at the top; below they are
 * links, so that cycles end.
 */
export function bodyOf(schema: Schema, context: FieldsContext): string {
  const { texts } = context
  const { items, oneOf, anyOf, additionalProperties, allOf = [], ...it } = read(schema, context)
  const options = oneOf ?? anyOf
  const parts = [fieldList(propertiesOf(schema, context), context)]
  if (typeof additionalProperties === 'object')
    parts.push(
      texts.map(typeOf(additionalProperties, context)),
      isNamed(additionalProperties) ? '' : bodyOf(additionalProperties, context),
    )
  if (items !== undefined && it.properties === undefined) parts.push(bodyOf(items, context))
  for (const part of allOf) parts.push(alternatives(asObject(part).oneOf ?? asObject(part).anyOf, context))
  parts.push(alternatives(options, context))
  return parts.filter((part) => part !== '').join('\n\n')
}

function alternatives(options: readonly Schema[] | undefined, context: FieldsContext): string {
  // What the type says already needs no list.
  if (options === undefined || options.every((option) => isNamed(option) || isPlain(option, context)))
    return ''
  const items = options.map((option) => {
    const inside = isNamed(option) ? '' : bodyOf(option, context)
    const { title, description: about } = read(option, context)
    const head = [title, typeOf(option, context)].filter((part) => part !== undefined).join(': ')
    const parts = [head, description(about, 4), inside].filter((part) => part !== '')
    return `- ${indent(parts.join('\n\n')).trimStart()}`
  })
  return `${context.texts.anyOf}:\n\n${items.join('\n\n')}`
}

const isPlain = (schema: Schema, context: FieldsContext): boolean =>
  bodyOf(schema, context) === '' && read(schema, context).description === undefined

/** The fields of an object, those of every part of `allOf` included. */
function propertiesOf(schema: Schema, context: FieldsContext): Field[] {
  const { properties = {}, required = [], allOf = [] } = read(schema, context)
  const inherited = allOf.flatMap((part) => propertiesOf(part, context))
  const own = Object.entries(properties).map(([name, property]) => ({ name, schema: property }))
  const fields = new Map<string, Field>()
  for (const field of [...inherited, ...own])
    fields.set(field.name, {
      ...field,
      required:
        required.includes(field.name) ||
        fields.get(field.name)?.required === true ||
        ('required' in field && field.required === true),
    })
  return [...fields.values()]
}
