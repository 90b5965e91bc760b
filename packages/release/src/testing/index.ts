export { createTestBuild, loadOnlyEdition, pageHtml, type TestBuild } from './test-build.ts'
