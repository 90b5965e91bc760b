/**
 * Every path of this service that an anonymous browser may reach, compared as a whole. The first four are fixed
 * by the SDK, which asks for them at the root of the emulator's origin.
 */
export const PATHS = {
  picker: '/emulator/auth/handler',
  frame: '/emulator/auth/iframe',
  signIn: '/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp',
  lookup: '/identitytoolkit.googleapis.com/v1/accounts:lookup',
  token: '/securetoken.googleapis.com/v1/token',
  gapiScript: '/emulator/sekisho/gapi.js',
  frameScript: '/emulator/sekisho/frame.js',
  pickerScript: '/emulator/sekisho/picker.js',
  pickerStyle: '/emulator/sekisho/picker.css',
} as const
