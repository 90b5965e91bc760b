import type { ComponentType } from 'react'
import type { DialogProps } from '../open-search.ts'

let loading: Promise<ComponentType<DialogProps>> | undefined

/** Fetches the dialog's code, once. Called when a reader seems about to search; a failure is tried again. */
export function loadDialog(): Promise<ComponentType<DialogProps>> {
  loading ??= import('../dialog/SearchDialog.tsx').then(
    (module) => module.default,
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}
