import type { CheckStage, GuardrailDefinition, HookReport } from '../../core/guardrails.ts'
import type { CheckDirectory } from '../../kit/check.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'

export interface GuardrailDeps extends GuardrailDryRun {
  /** What guardrails can be made of now. */
  readonly checks: CheckDirectory
  readonly secretBox: SecretBox
  /** Version 4 UUID. */
  readonly randomId: () => string
}

type Fields = Readonly<Record<string, unknown>>

/** What a guardrail is tried out on. */
export type DryRunSubject =
  | { readonly kind: 'text'; readonly stage: CheckStage; readonly text: string }
  | {
      readonly kind: 'call'
      /** Path of the endpoint: `/v1/chat/completions`. */
      readonly path: string
      readonly body: Fields
      readonly headers: Headers
      readonly metadata: Readonly<Record<string, string>>
      /** Id of the provider that would be asked; empty where none is said. */
      readonly provider: string
      /** Absent: the guardrail looks at the request alone. */
      readonly response?: Fields
    }

/** A guardrail that is tried out without a call. */
export interface GuardrailDryRunCall {
  readonly organisationId: string
  /** On whose behalf checks ask models and use accounts. */
  readonly workspaceId: string
  readonly guardrail: { readonly id: string; readonly name: string; readonly definition: GuardrailDefinition }
  readonly subject: DryRunSubject
  /** Aborted when nobody waits any longer. */
  readonly signal: AbortSignal
}

/** What a guardrail came to in a stage. */
export interface StageVerdict {
  readonly report: HookReport
  /** What it would have made of the text or the body, where that is something else. */
  readonly changed?: string | Fields
}

export interface GuardrailDryRun {
  /**
   * Nothing is recorded as a call and no feedback is given. What checks ask of models and services they do ask.
   * @throws ManagementInvalid for a path that guardrails do not run on, naming `request.path`
   */
  readonly dryRunGuardrail: (call: GuardrailDryRunCall) => Promise<Readonly<Partial<Record<CheckStage, StageVerdict>>>>
}
