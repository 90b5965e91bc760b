import type { Props } from '@theme/BlogArchivePage'
import BlogArchivePage from '@theme-init/BlogArchivePage'
import type { ReactNode } from 'react'

/** Newest first. The classic page puts each post above the one before it, so every year is passed on oldest first. */
export default function BlogArchivePageWrapper({ archive }: Props): ReactNode {
  const byYear = Object.groupBy(archive.blogPosts, ({ metadata }) => metadata.date.slice(0, 4))
  const years = Object.values(byYear).reverse() // numeric keys come in ascending order
  const blogPosts = years.flatMap((posts = []) => posts.toSorted(byDate))
  return <BlogArchivePage archive={{ ...archive, blogPosts }} />
}

type Post = Props['archive']['blogPosts'][number]

const byDate = (a: Post, b: Post): number => Date.parse(a.metadata.date) - Date.parse(b.metadata.date)
