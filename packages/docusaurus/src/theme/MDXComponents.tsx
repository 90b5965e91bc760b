import MathStyles from '@theme/MathStyles'
import MDXComponents from '@theme-init/MDXComponents'
import ScrollableTable from '../content/ScrollableTable.tsx'

/** Adds what `rehypeMathStyles` puts into pages with formulas, and tables that scroll by themselves. */
export default { ...MDXComponents, MathStyles, table: ScrollableTable }
