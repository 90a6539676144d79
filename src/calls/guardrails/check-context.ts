import type { Call } from '../../core/call.ts'
import type { CheckStage } from '../../core/guardrails.ts'
import type { Host } from '../../kit/plugin.ts'
import { principal, trace } from '../../kit/slots.ts'
import { callerBudgets, callerKeys, callerLimits } from '../slots.ts'
import type { CheckContext } from './run-check.ts'

type Fields = Readonly<Record<string, unknown>>

export type ChecksHost = Pick<Host, 'checkPowers' | 'clock'>

/** What is asked of the target. */
export interface Asked {
  readonly params: Fields
  readonly texts: readonly string[]
}

/** What is checked, besides its texts. */
export interface Checked {
  readonly stage: CheckStage
  /** Calls of this kind have texts. */
  readonly hasTexts: boolean
  readonly asked: Asked
  /** Of the answer, once there is one. */
  readonly status?: number | undefined
  readonly metadata: Readonly<Record<string, string>>
  readonly requestType: string
  readonly provider: string
  readonly model?: string | undefined
  readonly isStreamed: boolean
}

/** What checks are told of a call, and what they get to work with. */
export const checkContext = (
  call: Call,
  host: ChecksHost,
  { stage, hasTexts, asked, ...checked }: Checked,
): CheckContext => {
  const { traceId } = call.get(trace)
  const { metadata } = checked
  return {
    stage,
    hasTexts,
    call: {
      request: { json: asked.params, texts: asked.texts },
      status: checked.status,
      metadata,
      headers: clientHeaders(call),
      requestType: checked.requestType,
      provider: checked.provider,
      model: checked.model,
      isStreamed: checked.isStreamed,
      traceId,
    },
    caller: {
      principal: call.get(principal),
      traceId,
      metadata,
      limits: call.get(callerLimits),
      budgets: call.get(callerBudgets),
    },
    powers: host.checkPowers,
    signal: () => call.signal,
    now: () => host.clock.monotonicMs(),
    wallClock: () => host.clock.now(),
  }
}

/** Headers of the client but for those with the gateway's own key. A token of an issuer may be looked at: it is no key of ours. */
const clientHeaders = (call: Call): { get(name: string): string | null } => ({
  get(name) {
    const value = call.request.headers.get(name)
    const isOurs = value !== null && call.get(principal).isForeign !== true && call.get(callerKeys).isGatewayKey(value)
    return isOurs ? null : value
  },
})
