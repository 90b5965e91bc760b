import { translate } from '@docusaurus/Translate'
import type { Props } from '@theme/Admonition'
import StockTypes from '@theme-init/Admonition/Types'
import type { ComponentType } from 'react'

/** Docusaurus titles these three in English whatever the language of the site. */
const UNTITLED = {
  important: () =>
    translate({
      id: 'theme.admonition.important',
      message: 'important',
      description: 'Title of :::important',
    }),
  secondary: () =>
    translate({
      id: 'theme.admonition.secondary',
      message: 'secondary',
      description: 'Title of :::secondary',
    }),
  success: () =>
    translate({ id: 'theme.admonition.success', message: 'success', description: 'Title of :::success' }),
}

function titled(type: keyof typeof UNTITLED): ComponentType<Props> {
  const Stock = StockTypes[type]
  if (Stock === undefined) throw new Error(`the classic theme no longer has admonitions of type ${type}`)
  return (props) => <Stock {...props} title={props.title ?? UNTITLED[type]()} />
}

/** The kinds of admonition, each with a title in the site's language. */
export default {
  ...StockTypes,
  important: titled('important'),
  secondary: titled('secondary'),
  success: titled('success'),
}
