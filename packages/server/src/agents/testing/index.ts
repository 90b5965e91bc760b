/** What tests of other packages look at in this room; nothing of it imports this. */

export { TOOLS } from '../mcp/tools.ts'
export { type FetchDocument, readDocumentUrl } from '../sign-in/client-documents.ts'
export { KNOWN_CLIENTS } from '../sign-in/known-clients.ts'
