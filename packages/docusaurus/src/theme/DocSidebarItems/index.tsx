export { default } from '../../flat/theme/DocSidebarItems/index.tsx'
