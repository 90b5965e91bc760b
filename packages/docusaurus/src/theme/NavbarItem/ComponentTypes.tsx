import SekishoSessionNavbarItem from '@theme/NavbarItem/SekishoSessionNavbarItem'
import ComponentTypes from 'sekisho-inner/NavbarItem/ComponentTypes'

/** Adds `{ type: 'custom-sekisho-session' }` to what a navbar may hold. */
export default { ...ComponentTypes, 'custom-sekisho-session': SekishoSessionNavbarItem }
