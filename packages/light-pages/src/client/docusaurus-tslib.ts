/**
 * The one helper that Docusaurus' own CommonJS packages call in the browser. They `require` the whole of
 * tslib, which cannot be shaken and would weigh 11 KB on every page.
 */
export function __importDefault(module: { __esModule?: boolean }): object {
  return module?.__esModule ? module : { default: module }
}
