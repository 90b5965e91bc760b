import { useEffect, useMemo, useState } from 'react'
import type { SearchState } from '../ask/search-session.ts'
import { currentReader } from '../device/current-reader.ts'
import { type DeviceMemory, forgetMemory, readMemory } from '../device/device-memory.ts'
import { TEXTS } from '../texts.ts'
import { type Choice, type ChoiceGroup, recentGroups, resultGroups } from './choices.ts'

const NOTHING: DeviceMemory = { queries: [], pages: [] }
const NAMES = { queries: TEXTS.recentQueries, pages: TEXTS.recentPages }

/** What can be chosen now, and which of it the keys are on. */
export type Choices = {
  readonly groups: readonly ChoiceGroup[]
  readonly choices: readonly Choice[]
  /** −1 when on nothing: of recent things none is chosen before the reader moves to it. */
  readonly active: number
  readonly isRecent: boolean
  setActive(index: number): void
  forget(): void
}

/**
 * Results for what is typed, else what this device remembers. The first result is chosen as soon as it is there; while
 * there is trouble, none can be.
 */
export function useChoices({ q, answer, answered, problem }: SearchState): Choices {
  const [memory, setMemory] = useState(readNow)
  const isRecent = q.trim() === ''
  const groups = useMemo(() => {
    if (isRecent) return recentGroups(memory, NAMES)
    return answer === null || problem !== null ? [] : resultGroups(answer)
  }, [isRecent, memory, answer, problem])
  const choices = useMemo(() => groups.flatMap((group) => group.choices), [groups])
  const [active, setActive] = useState(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer, not a new list, moves the choice
  useEffect(() => setActive(isRecent ? -1 : 0), [isRecent, answered])
  return {
    groups,
    choices,
    active: Math.min(active, choices.length - 1),
    isRecent,
    setActive,
    forget() {
      forgetMemory(localStorage)
      setMemory(NOTHING)
    },
  }
}

function readNow(): DeviceMemory {
  const reader = currentReader()
  return reader === null ? NOTHING : readMemory(localStorage, reader)
}
