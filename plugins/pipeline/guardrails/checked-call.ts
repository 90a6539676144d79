import type { CheckContext } from '#calls/guardrails/run-check'
import { callerBudgets, callerKeys, callerLimits } from '#calls/slots'
import type { Call, CheckStage, Host } from '#kit'
import { isStreamed } from '#kit'
import { callConfig, principal, type Target, trace } from '#kit/slots'

type Fields = Readonly<Record<string, unknown>>

export type ChecksHost = Pick<Host, 'checkPowers' | 'clock'>

/** What is asked of the target. */
export interface Asked {
  readonly params: Fields
  readonly texts: readonly string[]
}

/** What checks are told of a call, and what they get to work with. */
export const checkContext = (
  call: Call,
  to: Target,
  stage: CheckStage,
  asked: Asked,
  host: ChecksHost,
  status?: number,
): CheckContext => {
  const { endpoint } = call
  const { traceId } = call.get(trace)
  const { metadata } = call.get(callConfig)
  return {
    stage,
    hasTexts: endpoint.texts !== undefined,
    call: {
      request: { json: asked.params, texts: asked.texts },
      status,
      metadata,
      headers: clientHeaders(call),
      requestType: endpoint.requestTypeOf(call),
      provider: to.provider.id,
      model: to.model,
      isStreamed: isStreamed(call),
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
