import { type Asked, type ChecksHost, checkContext } from '#calls/guardrails/check-context'
import type { CheckContext } from '#calls/guardrails/run-check'
import type { Call, CheckStage } from '#kit'
import { isStreamed } from '#kit'
import { callConfig, type Target } from '#kit/slots'

export type { Asked, ChecksHost }

/** What checks are told of a call to a model, and what they get to work with. */
export const contextOf = (
  call: Call,
  to: Target,
  stage: CheckStage,
  asked: Asked,
  host: ChecksHost,
  status?: number,
): CheckContext =>
  checkContext(call, host, {
    ...{ stage, asked, status, provider: to.provider.id, model: to.model },
    hasTexts: call.endpoint.texts !== undefined,
    metadata: call.get(callConfig).metadata,
    requestType: call.endpoint.requestTypeOf(call),
    isStreamed: isStreamed(call),
  })
