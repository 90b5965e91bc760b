/** Stands for the module the plugin makes of where further versions of documents are. */
export default []
