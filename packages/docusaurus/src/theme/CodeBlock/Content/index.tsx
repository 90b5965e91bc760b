export { default } from '../../../flat/theme/CodeBlock/Content/index.tsx'
