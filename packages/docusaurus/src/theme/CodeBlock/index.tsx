export { default } from '../../flat/theme/CodeBlock/index.tsx'
