import { describeChanges } from './changes-contract.ts'
import { describeEnds } from './ends-contract.ts'
import { describeGrants } from './grants-contract.ts'
import { describeOperators } from './operators-contract.ts'
import { describeProofs } from './proofs-contract.ts'
import { describeRevived } from './revived-contract.ts'
import { describeRows } from './rows-contract.ts'
import type { StoreUnderTest } from './store-under-test.ts'

/** Contract of every store of sessions, spent tokens and bound accounts, interface by interface. */
export function describeSessionStore(name: string, create: () => Promise<StoreUnderTest>): void {
  for (const describeOne of [
    describeRows,
    describeProofs,
    describeEnds,
    describeChanges,
    describeOperators,
    describeGrants,
    describeRevived,
  ])
    describeOne(name, create)
}
