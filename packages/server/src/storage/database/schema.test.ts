import { expect, it } from 'vitest'
import { MIGRATIONS } from './schema.ts'

/** From here on a gate of the version before may be restarted on the schema (decisions/194). */
const READABLE_FROM = 7
const ADDS =
  /^(?:CREATE (?:UNIQUE )?(?:TABLE|INDEX) |ALTER TABLE \S+ ADD COLUMN \S+ [a-z]+(?: NOT NULL DEFAULT |$))/

it('only adds, in each version that software of the version before works with', () => {
  const statements = MIGRATIONS.slice(READABLE_FROM - 1).flatMap((sql) => sql.split(';'))
  const others = statements.map((sql) => sql.trim()).filter((sql) => sql !== '' && !ADDS.test(sql))
  expect(others).toEqual([])
})
