/** Test-only exports. */

export { TOOLS } from '../mcp/tools.ts'
export { type FetchDocument, readDocumentUrl } from '../sign-in/client-documents.ts'
export { KNOWN_CLIENTS } from '../sign-in/known-clients.ts'
