import type { Answer } from '../core/bodies/answer.ts'
import type { BudgetCharge, OwnedBudgets } from '../core/budgets.ts'
import type { Call } from '../core/call.ts'
import type { Finish } from '../core/finish.ts'
import type { HookReport } from '../core/guardrails.ts'
import type { CallAccount, LimitExplanation, OwnedLimits } from '../core/limits.ts'
import type { Deadlines, SpanHandle } from '../core/ports.ts'
import type { RouteExplanation } from '../core/route-explanation.ts'
import { defineSlot } from '../core/slot.ts'
import type { FoundKey, KeyDefaults } from '../kit/plugin.ts'
import type { KeptKind, Provider } from '../kit/provider/provider.ts'
import type { ProviderRequest, RenderedPrompt } from '../kit/slots.ts'

/** Where the gateway knows a key for a target: what becomes of one that the call brings. */
export type CallerKeyPolicy = 'prefer' | 'fallback' | 'never'

/** The provider keys that a call brought. A gateway key is never among them. */
export interface CallerKeys {
  /** The operator's word on keys of callers; absent: see docs/requests.md. */
  readonly policy?: CallerKeyPolicy | undefined
  /**
   * The key for a provider: from the provider's own header or query parameter first, then `Authorization: Bearer`, then
   * `x-api-key` and `api-key`, since clients of one style call providers of another.
   */
  providerKey(provider: Pick<Provider, 'keyHeader' | 'keyParameter'>): string | undefined
  /** The key that turned out to be known; undefined for a call without one. */
  readonly settled: string | undefined
  /** Whether a text is the gateway key of the call, or holds it or any key of Weir's form: it is never passed on then. */
  isGatewayKey(text: string): boolean
  /** Whether a text holds the gateway key of the call as it is: cheap enough for all that leaves. */
  repeatsGatewayKey(text: string): boolean
}

/** A call to a stored prompt. Set before `config`. */
export interface PromptCall {
  readonly rendered: RenderedPrompt
  /** Another prompt with the variables and parameters of this call. @throws as `renderPrompt` */
  render(reference: string): RenderedPrompt
}

/** What the tools that a call ran add to budgets, once, when it is over. */
export type ToolCharges = (finish: Finish) => readonly BudgetCharge[]

/** One try at one target, as `route` makes it. */
export interface Attempt {
  /** What it waits for. `idleMs` may change while the answer comes. */
  readonly deadlines: Deadlines
  /** Milliseconds until the first meaningful piece of a stream, while another target could take over. */
  readonly firstTokenMs?: number
  /** Whether another target would go on from what the client has, if the stream broke off now. Absent: none would. */
  isCarriedOn?(): boolean
}

/** The beginning of an answer that the client has already; the provider goes on from there if it can. */
export interface AssistantPrefix {
  readonly text: string
  /** Set by `transform` when the provider was asked to go on: what its answer may repeat of the text. */
  echo?: string
}

/** Set by a dry run: the chain is gone through up to where its question is answered, and no provider is asked. */
export interface DryRun {
  /** Who calls, in place of a key in the headers. */
  readonly caller?: FoundKey
  /** The answer of the limits. */
  limits?: LimitExplanation
  /** The answer of the router; also what it had decided before it refused the call. */
  route?: RouteExplanation
}

/** Set for a call that a check makes: no guardrails run on it. */
export interface AskingCheck {
  /** Id of the check. */
  readonly check: string
  /** Who calls, in place of a key in the headers. */
  readonly caller: FoundKey
}

/** Set for a line of a batch that Weir runs. */
export interface BatchLine {
  /** Who calls, in place of a key in the headers. */
  readonly caller: FoundKey
}

/** Set for a call that a stage makes for the caller of another one. */
export interface MadeInside {
  /** Who calls, in place of a key in the headers. */
  readonly caller: FoundKey
}

/** Hears of what goes between the gateway and a provider. Absent: nothing is kept of it. */
export interface ProviderMessages {
  /** The request as it leaves, with its credentials. */
  sent(call: Call, request: ProviderRequest): void
  /** The answer as it came, for one that the client gets in other words: its body is from now on to be read from here. */
  received(call: Call, answer: Answer): void
}

/** What the guardrails of an attempt came to so far. Grows until the call ends. */
export interface GuardrailReports {
  before: readonly HookReport[]
  after: readonly HookReport[]
  /** Settles once those that only report have reported, also after the end of the call. Absent: none is at work. */
  pending?: Promise<unknown> | undefined
}

/** A call about something that is kept after it: files, batches. */
export interface KeptCall {
  /** What a provider must keep itself, in the same form, for the call to go to it as it came. Absent: it never does. */
  readonly needs?: readonly KeptKind[]
  /** Who has it, whatever `needs` says, where the provider's batches are made of their lines themselves (`inlineBatches`). */
  readonly inline?: 'weir' | 'provider' | undefined
  /** The answer of Weir, for a provider that keeps none. */
  answer(): Promise<Answer>
}

/** Charges the responses of a session, which are charged one by one. */
export interface ResponseLimits {
  /** For one that begins: it is settled when it ends. @throws as `CallAccount.admit` */
  admit(response: Call): void | Promise<void>
  /** Whether another one would be let through now. @throws likewise */
  check(): void | Promise<void>
}

/** Keeps a record of a response of a session, from its beginning to its end. @param number from 1 */
export type ResponseRecords = (response: Call, number: number) => void

export const dryRun = defineSlot<DryRun>('dry-run', 'management')
export const askingCheck = defineSlot<AskingCheck>('asking-check', 'a check')
export const innerCall = defineSlot<MadeInside>('inner-call', 'a stage')
export const batchLine = defineSlot<BatchLine>('batch-line', 'the batches')
export const providerMessages = defineSlot<ProviderMessages>('provider-messages', 'logging')
export const keptCall = defineSlot<KeptCall>('kept-call', 'files or batches')
export const serverSpan = defineSlot<SpanHandle>('server-span', 'logging')
export const callerLimits = defineSlot<readonly OwnedLimits[]>('caller-limits', 'auth')
export const callerBudgets = defineSlot<readonly OwnedBudgets[]>('caller-budgets', 'auth')
export const keyDefaults = defineSlot<KeyDefaults>('key-defaults', 'auth')
export const callerKeys = defineSlot<CallerKeys>('caller-keys', 'auth')
export const limitAccount = defineSlot<CallAccount>('limit-account', 'rate-limit')
export const toolCharges = defineSlot<ToolCharges>('tool-charges', 'mcp')
export const responseLimits = defineSlot<ResponseLimits>('response-limits', 'rate-limit')
export const responseRecords = defineSlot<ResponseRecords>('response-records', 'logging')
export const guardrailReports = defineSlot<GuardrailReports | undefined>('guardrail-reports', 'guardrails')
export const promptCall = defineSlot<PromptCall>('prompt-call', 'prompt')
export const attempt = defineSlot<Attempt>('attempt', 'route')
export const assistantPrefix = defineSlot<AssistantPrefix | undefined>('assistant-prefix', 'route')
