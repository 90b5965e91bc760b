export { default } from '@sekisho/light-pages/theme/CodeBlock'
