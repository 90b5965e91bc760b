/** Stands for the module Docusaurus makes of a build's locale. */
export default { currentLocale: 'ja' }
