import { expect, it } from 'vitest'
import { fillTemplate } from './template.ts'

it.each([
  ['/api/index.html', '/API~1'],
  ['/api/操作/shifts/index.html', '/API/_/~1'],
  ['/文書/手引き/index.html', '/_/_~1'],
])('a short name of %s has no empty segment, which would be refused for that', (path, name) => {
  expect(fillTemplate('{dir|short-name}', { path, host: 'portal.test', sha256: '' })).toBe(name)
})
