import MathStyles from '@theme/MathStyles'
import MDXComponents from '@theme-init/MDXComponents'
import ScrollableTable from '../../ScrollableTable.tsx'

/**
 * Adds what `rehypeMathStyles` puts into pages with formulas, and tables that scroll by themselves. The title of an
 * admonition that holds more than text loses its capitals on the way through HTML, as every `.md` page goes.
 */
export default {
  ...MDXComponents,
  MathStyles,
  ScrollableTable,
  table: ScrollableTable,
  mdxadmonitiontitle: 'mdxAdmonitionTitle',
}
