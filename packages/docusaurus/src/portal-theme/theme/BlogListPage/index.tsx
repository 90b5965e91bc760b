import Link from '@docusaurus/Link'
import Translate from '@docusaurus/Translate'
import { HtmlClassNameProvider, PageMetadata, ThemeClassNames } from '@docusaurus/theme-common'
import BlogLayout from '@theme/BlogLayout'
import type { Props } from '@theme/BlogListPage'
import BlogListPageStructuredData from '@theme/BlogListPage/StructuredData'
import BlogListPaginator from '@theme/BlogListPaginator'
import BlogPostItems from '@theme/BlogPostItems'
import SearchMetadata from '@theme/SearchMetadata'
import clsx from 'clsx'
import type { ReactNode } from 'react'

/** Replaces the classic list, which has no heading and links neither to the tags nor to the feeds. */
export default function BlogListPage(props: Props): ReactNode {
  const { metadata, items, sidebar } = props
  const { blogTitle, blogDescription } = metadata
  return (
    <HtmlClassNameProvider
      className={clsx(ThemeClassNames.wrapper.blogPages, ThemeClassNames.page.blogListPage)}
    >
      <PageMetadata title={blogTitle} description={blogDescription} />
      <SearchMetadata tag="blog_posts_list" />
      <BlogListPageStructuredData {...props} />
      <BlogLayout sidebar={sidebar}>
        <header className="sekisho-blog">
          <h1>{blogTitle}</h1>
          <p>{blogDescription}</p>
          <BlogLinks {...props} />
        </header>
        <BlogPostItems items={items} />
        <BlogListPaginator metadata={metadata} />
      </BlogLayout>
    </HtmlClassNameProvider>
  )
}

/** Tags and authors have a page only where a post has some. */
function BlogLinks({ metadata, items }: Props): ReactNode {
  const base = metadata.permalink.replace(/\/page\/\d+\/?$/, '').replace(/\/$/, '')
  const posts = items.map(({ content }) => content.metadata)
  const hasTags = posts.some(({ tags }) => tags.length > 0)
  const hasAuthors = posts.some(({ authors }) => authors.some(({ page }) => page != null))
  return (
    <ul className="sekisho-blog__links">
      {hasTags && (
        <li>
          <Link to={`${base}/tags`}>
            <Translate id="sekisho.blog.tags">タグ</Translate>
          </Link>
        </li>
      )}
      {hasAuthors && (
        <li>
          <Link to={`${base}/authors`}>
            <Translate id="sekisho.blog.authors">執筆者</Translate>
          </Link>
        </li>
      )}
      <li>
        <Link to={`${base}/archive`}>
          <Translate id="sekisho.blog.archive">アーカイブ</Translate>
        </Link>
      </li>
      <li>
        <a href={`${base}/rss.xml`}>RSS</a>
      </li>
      <li>
        <a href={`${base}/atom.xml`}>Atom</a>
      </li>
    </ul>
  )
}
