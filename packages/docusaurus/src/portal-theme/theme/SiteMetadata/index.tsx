/** Nothing: what stands here elsewhere is for crawlers and for cards in chats, and behind the gate neither reads it. */
export default function SiteMetadata(): null {
  return null
}
