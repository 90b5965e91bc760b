import type { ComponentType, ReactNode } from 'react'

interface LoginButtonProps {
  readonly text: string
  readonly Logo?: ComponentType | undefined
  /** A sign-in is in progress; the button still starts another one. */
  readonly isBusy: boolean
  readonly isDisabled: boolean
  readonly onClick: () => void
}

/** Button that starts sign-in; one for each provider. */
export function LoginButton({ text, Logo, isBusy, isDisabled, onClick }: LoginButtonProps): ReactNode {
  return (
    <button type="button" className="login-button" aria-busy={isBusy} disabled={isDisabled} onClick={onClick}>
      {Logo !== undefined && <Logo />}
      <span>{text}</span>
    </button>
  )
}
