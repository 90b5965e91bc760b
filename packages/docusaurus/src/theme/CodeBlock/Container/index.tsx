export { default } from '../../../flat/theme/CodeBlock/Container/index.tsx'
