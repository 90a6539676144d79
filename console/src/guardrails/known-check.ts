/** A parameter of a check, and how a form asks for it. */
export interface CheckField {
  readonly name: string
  readonly isRequired: boolean
  /** `lines`: a list, one in each line. `json`: whatever is not simple. */
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'lines' | 'json'
  readonly choices?: readonly string[]
  readonly description?: string
}

/** A kind of check. */
export interface KnownCheck {
  readonly id: string
  /** When it passes. */
  readonly summary: string
  readonly fields: readonly CheckField[]
}
