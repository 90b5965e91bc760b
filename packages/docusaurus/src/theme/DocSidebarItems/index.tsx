export { default } from '@sekisho/light-pages/theme/DocSidebarItems'
