export { createTestBuild, pageHtml, type TestBuild } from './test-build.ts'
