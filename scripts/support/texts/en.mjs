/** Texts of this repository's commands before the product itself starts. */
export const en = {
  nodeTooOld: (version) => `Node ${version} is too old: install Node 20 or newer and run the command again.`,
  noPinnedNode: (system) =>
    `There is no pinned Node for ${system}: use Linux, macOS or Windows on x64 or arm64.`,

  install: 'Installing the locked packages (once per lockfile; a few minutes on a slow line)',
  installing: (seconds) => `still installing, ${seconds} s`,
  registryUnreachable:
    'The npm registry cannot be reached: check the network or the proxy (`npm ping`), then run the command again.',
  installFailed: (code, complaint) =>
    `The packages could not be installed (npm ci ended with ${code}). What npm says:\n\n${complaint}`,

  portNoNumber: (text) => `PORT must be a whole number from 1 to 65535, but it is "${text}".`,
  portForbidden: (port, command) =>
    `Port ${port} needs more rights than you have: choose one above 1023, as in \`PORT=3100 npm ${command}\`.`,
  portTaken: (port, command) =>
    `Port ${port} is taken: stop what uses it, or choose another one, as in \`PORT=${port + 1} npm ${command}\`.`,

  buildLogin: 'Building the login page',
  buildLoginFailed: 'The login page could not be built: the message above says why.',
  build: 'Building the site and packing a release',
  buildFailed: 'The release could not be built: the message above says why.',
  start: 'Building the site, then starting the gate and the local identity service',
  dev: 'Starting Docusaurus with hot reload for writers (loopback only, no gate)',

  pack: 'Compiling the rooms into one package',
  packFailed: 'The package could not be made: the message above says why.',
  sites: 'Building one small site for each plugin, without and with the gate',
  sitesFailed: 'Some site differs, or could not be tried: the lines above say how.',
}
