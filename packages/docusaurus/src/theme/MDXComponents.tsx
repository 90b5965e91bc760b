import MathStyles from '@theme/MathStyles'
import MDXComponents from '@theme-init/MDXComponents'

/** Adds what `rehypeMathStyles` puts into pages with formulas. */
export default { ...MDXComponents, MathStyles }
