import type { Benchmark } from './benchmark.ts'
import { build } from './build.ts'
import { editions } from './editions.ts'
import { gate } from './gate.ts'
import { plain, throttled, weight } from './load.ts'
import { navigation } from './navigation.ts'

/** Every benchmark, in the order they run. */
export const benchmarks: readonly Benchmark[] = [weight, plain, throttled, navigation, build, editions, gate]
