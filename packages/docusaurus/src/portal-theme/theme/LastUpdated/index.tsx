import type { ReactNode } from 'react'
import { dayInJapan, formatDay } from '../../../content/japanese.ts'

export type Props = { readonly lastUpdatedAt?: number | null; readonly lastUpdatedBy?: string | null }

/** Date of a page's last change. The classic one uses UTC: yesterday, until nine in Japan. */
export default function LastUpdated({ lastUpdatedAt, lastUpdatedBy }: Props): ReactNode {
  if (typeof lastUpdatedAt !== 'number') return null
  const day = dayInJapan(lastUpdatedAt)
  return (
    <span className="theme-last-updated">
      最終更新: <time dateTime={day}>{formatDay(day)}</time>
      {lastUpdatedBy ? `（${lastUpdatedBy}）` : null}
    </span>
  )
}
