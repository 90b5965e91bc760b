/** Stands for the module the plugin makes of where the results page is. */
export default { path: '/search' }
