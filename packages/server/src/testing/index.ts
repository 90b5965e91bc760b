/** Fixtures for tests of other packages; nothing of the gate itself imports them. */

export { createEditionRecorder } from '../access/choose-edition.ts'
export { recordRules } from '../access/policy-source.ts'
export { ALL_OK } from './health.ts'
export { seedSessions } from './seed-sessions.ts'
export { serveAgents } from './test-agents.ts'
export { openAnswers } from './test-answers.ts'
export {
  answerOf,
  CLIENT,
  cookieHeaderOf,
  createTestGate,
  ORIGIN,
  readObject,
  type TestGate,
} from './test-gate.ts'
export { promptText, startTestModel, streamText, type TestModel } from './test-model.ts'
export { writeGuideIndex } from './test-search.ts'
