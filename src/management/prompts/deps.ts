export interface PromptsDeps {
  /** Version 4 UUID. */
  readonly randomId: () => string
}
