export { type S3Fault, type S3Server, type S3ServerOptions, startS3Server } from './s3-server.ts'
export { createTestBuild, loadOnlyEdition, pageHtml, SITE, type TestBuild } from './test-build.ts'
export { writeFiles } from './write-files.ts'
