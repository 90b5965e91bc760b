import { expect, it } from 'vitest'
import { shrinkRuntime } from './runtime-map.ts'

const RUNTIME = `client.u = (chunk) => 1;
__webpack_require__.u = (chunkId) => {
  return "assets/js/" + ({"12": "p0a1b2c3d","34": "shell",}[chunkId] || chunkId) + "." + {"12": "aaaa1111","34": "bbbb2222",}[chunkId] + ".js"
}
__webpack_require__.gca = function(chunkId) { chunkId = {"p0a1b2c3d":"12"}[chunkId]||chunkId; return __webpack_require__.p + __webpack_require__.u(chunkId); };
after("12");`

it('takes pages out of both maps and leaves the rest of the runtime alone', () => {
  const shrunk = shrinkRuntime(RUNTIME, (id) => id === '12')
  expect(shrunk).toContain(
    '({"34": "shell",}[chunkId] || chunkId) + "." + {"34": "bbbb2222",}[chunkId] + ".js"',
  )
  expect(shrunk).not.toContain('p0a1b2c3d')
  expect(shrunk).toContain(
    '__webpack_require__.gca = (chunkId) => __webpack_require__.p + __webpack_require__.u(chunkId);',
  )
  expect(shrunk).toContain('after("12");')
})

it('says what changed when the runtime looks different', () => {
  expect(() => shrinkRuntime('something else', () => false)).toThrow('decisions/060')
})
