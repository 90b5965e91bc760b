import Link from '@docusaurus/Link'
import { useBlogPost } from '@docusaurus/plugin-content-blog/client'
import useBaseUrl from '@docusaurus/useBaseUrl'
import type { Props } from '@theme/BlogPostItem/Container'
import Container from '@theme-init/BlogPostItem/Container'
import type { ReactNode } from 'react'

/** Shows the picture that a post names in its front matter where posts are listed; on its own page the text decides. */
export default function BlogPostItemContainer({ children, ...props }: Props): ReactNode {
  const { isBlogPostPage, assets, frontMatter, metadata } = useBlogPost()
  const picture = useBaseUrl(assets.image ?? frontMatter.image ?? '')
  const isShown = !isBlogPostPage && (assets.image ?? frontMatter.image) !== undefined
  return (
    <Container {...props}>
      {isShown && (
        // The title below leads to the same page.
        <Link className="sekisho-blog__picture" to={metadata.permalink} tabIndex={-1} aria-hidden="true">
          <img src={picture} alt="" loading="lazy" />
        </Link>
      )}
      {children}
    </Container>
  )
}
