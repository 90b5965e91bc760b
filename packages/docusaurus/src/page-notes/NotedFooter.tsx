import { useDoc } from '@docusaurus/plugin-content-docs/client'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import DocItemFooter from 'sekisho-inner/DocItem/Footer'
import { hasGate } from '../session/tab-session.ts'

/** Front matter whose notes the gate shows. */
const NOTED = ['owner', 'review', 'reviewed', 'status', 'acknowledge']

/** Footer of a document with the notes that the gate adds to its page: owner, review and acknowledgement. */
export default function NotedFooter(props: ComponentProps<typeof DocItemFooter>): ReactNode {
  const { frontMatter, metadata } = useDoc()
  const isNoted = NOTED.some((name) => name in frontMatter)
  const mayBeNoted = isNoted || process.env.SEKISHO_NOTED_PAGES
  return (
    <>
      <DocItemFooter {...props} />
      {hasGate && mayBeNoted ? <Notes key={metadata.permalink} isNoted={isNoted} /> : null}
    </>
  )
}

/** An element that React leaves empty; the notes are moved into it, or fetched with the page after a client-side navigation. */
function Notes({ isNoted }: { readonly isNoted: boolean }): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const ending = new AbortController()
    import('./place-notes.ts')
      .then(({ placeNotes }) => placeNotes(place.current, isNoted, ending.signal))
      .catch(() => undefined)
    return () => ending.abort()
  }, [isNoted])
  return <div ref={place} />
}
