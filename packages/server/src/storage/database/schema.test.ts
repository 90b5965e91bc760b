import { expect, it } from 'vitest'
import { ADDITIVE_SINCE, MIGRATIONS } from './schema.ts'

const ADDS =
  /^(?:CREATE (?:UNIQUE )?(?:TABLE|INDEX) |ALTER TABLE \S+ ADD COLUMN \S+ [a-z]+(?: NOT NULL DEFAULT |$))/

it('only adds, in each version since the one that earlier software is to work with', () => {
  const statements = MIGRATIONS.slice(ADDITIVE_SINCE - 1).flatMap((sql) => sql.split(';'))
  const others = statements.map((sql) => sql.trim()).filter((sql) => sql !== '' && !ADDS.test(sql))
  expect(others).toEqual([])
})
