export { default } from '@sekisho/light-pages/theme/DocSidebarItem/Category'
