import Heading from '@theme-init/Heading'
import {
  Children,
  type ComponentProps,
  cloneElement,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from 'react'

type Props = ComponentProps<typeof Heading>

/** Names the link to a heading by its text where that has elements in it, as places to break a line; stock names it by its id. */
export default function HeadingWrapper({ children, ...props }: Props): ReactNode {
  const heading = (Heading as (props: Props) => ReactElement)({ ...props, children: textOf(children) })
  const [, ...link] = Children.toArray((heading.props as Props).children)
  return cloneElement(heading, {}, children, ...link)
}

function textOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((child) => (isValidElement<{ children?: ReactNode }>(child) ? textOf(child.props.children) : child))
    .join('')
}
