export { default } from '../../../flat/theme/DocSidebarItem/Category/index.tsx'
