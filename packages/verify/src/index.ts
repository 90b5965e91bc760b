export { fillTemplate, type TemplateSubject } from './catalogue/template.ts'
export {
  HEADER_ROWS,
  METHOD_ROWS,
  PARAMETER_ROWS,
  PATH_ROWS,
  RAW_ROWS,
  REDIRECT_ROWS,
  type RedirectRow,
  SIDE_DOOR_ROWS,
  type ThreatRow,
} from './catalogue/threats.ts'
export { createWireClient, type WireClient } from './client/client.ts'
export { openConnection, UnreachableError } from './client/connection.ts'
export { findHeader, type HeaderLine, type WireRequest } from './client/request.ts'
export { decodeBody, type WireOutcome, type WireResponse } from './client/response.ts'
export type { Rule } from './engine/answers/findings.ts'
export { findLoginPage, type LoginControl, NothingVerifiedError } from './engine/answers/login-answer.ts'
export { createReference, LoginFilesError, readLoginFiles } from './engine/answers/reference.ts'
export { type EditionReport, verifyEdition } from './engine/editions/edition-check.ts'
export { type Reader, ReaderRefusedError, type SessionsToEnd } from './engine/probing/reader.ts'
export { type VerifyReport, verifyGate } from './engine/verify-gate.ts'
export { type OpenedEdition, type OpenedRelease, openOthers, openRelease } from './leaks/protected-release.ts'
export { createProgress, formatEditionReport, formatReport, isProven, jsonReport } from './report.ts'
