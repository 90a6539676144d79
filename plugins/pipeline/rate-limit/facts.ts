import { estimateInputTokens, maxOutputTokens } from '#calls/estimate-tokens'
import { asksNoModel } from '#calls/pass-through/pass-through'
import { callerBudgets, callerLimits, promptCall } from '#calls/slots'
import { originOf, requestParams } from '#calls/target-params'
import type { AdmitOptions, CallFacts, TargetFacts } from '#core/limits'
import { type Call, defined, InvalidRequest } from '#kit'
import { callConfig, principal, type Target } from '#kit/slots'

/** What limits can look at before a target is chosen. */
export const callFacts = (call: Call): CallFacts => {
  const { organisationId, workspaceId, keyId, isForeign } = call.get(principal)
  const { metadata, model, slug } = call.get(callConfig)
  const prompt = call.find(promptCall)
  // `auth` lets no key without a workspace through to a model.
  if (workspaceId === undefined) throw new InvalidRequest('Calls to models need a key of a workspace.')
  return {
    organisationId,
    workspaceId,
    metadata,
    endpointType: call.endpoint.requestTypeOf(call),
    widerEndpointType: call.endpoint.requestTypes[0],
    apiKeyId: isForeign === true ? undefined : keyId,
    model,
    config: slug,
    prompt: prompt?.rendered.prompt.slug,
  }
}

export const targetFacts = ({ provider, storedProvider, model }: Target): TargetFacts => ({
  provider: provider.id,
  virtualKey: storedProvider,
  model,
})

/** Limits of the caller and the target, and what the request may use. */
export const admitOptions = (call: Call, to: Target): AdmitOptions => {
  const ofCaller = call.get(callerLimits)
  const budgetsOfCaller = call.get(callerBudgets)
  return {
    owned: to.limits === undefined ? ofCaller : [...ofCaller, to.limits],
    budgets: to.budgets === undefined ? budgetsOfCaller : [...budgetsOfCaller, ...to.budgets],
    target: originOf(to),
    isFree: asksNoModel(call),
    forecast: () => {
      const body = paramsOf(call, to)
      const maximum = call.endpoint.isWritten ? maxOutputTokens(body) : 0
      return defined({ inputTokens: estimateInputTokens(body, call.endpoint.reads), maxOutputTokens: maximum })
    },
  }
}

/** What the target will be asked for, by what the request and the config say. */
const paramsOf = (call: Call, to: Target): Readonly<Record<string, unknown>> => {
  const requested = requestParams(call, to)
  if (to.defaultParams === undefined && to.overrideParams === undefined) return requested
  return { ...to.defaultParams, ...requested, ...to.overrideParams }
}
