/** The flags of `weir keys`, as they were given. */
export interface KeyFlags {
  readonly name?: string
  readonly kind?: string
  readonly workspace?: string
  readonly user?: string
  readonly scopes?: string
  readonly expires?: string
  readonly json?: boolean
}
