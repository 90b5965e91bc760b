/** What the gate tells the login page, in the JSON script element `sekisho-config`. */
export interface LoginConfig {
  readonly site: { readonly title: string; readonly tagline: string }
  readonly firebase: FirebaseSettings | null
  /** The gate found its identity settings invalid; it logs which one. */
  readonly configError: boolean
  readonly local: { readonly emulatorOrigin: string } | null
  readonly sessionEndpoint: string
}

/** The web app's public settings in a Firebase project. */
export interface FirebaseSettings {
  readonly apiKey: string
  readonly authDomain: string
  readonly projectId: string
  readonly storageBucket?: string
}

/** The page and the gate do not fit together; the message names every difference. */
export class LoginConfigError extends Error {
  readonly code = 'LOGIN_CONFIG_INVALID'

  constructor(problems: readonly string[]) {
    super(`The login page cannot read its configuration: ${problems.join('; ')}`)
    this.name = 'LoginConfigError'
  }
}
