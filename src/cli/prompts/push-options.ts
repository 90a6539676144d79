/** How far a push may go. */
export interface PushOptions {
  /** Whether prompts that are there already publish what the files say. */
  readonly publish: boolean
  /** Whether what the files do not name is taken away. */
  readonly prune: boolean
}
