/** The only helper of tslib that `@docusaurus/utils-common` calls. */
export function __importDefault(module: { __esModule?: boolean }): object {
  return module?.__esModule ? module : { default: module }
}
