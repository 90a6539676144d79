import type { CheckDirectory } from '../../kit/check.ts'

export interface GuardrailDeps {
  /** What guardrails can be made of now. */
  readonly checks: CheckDirectory
  /** Version 4 UUID. */
  readonly randomId: () => string
}
