import { estimateInputTokens, maxOutputTokens } from '#calls/estimate-tokens'
import { mostUsed } from '#calls/most-used'
import { asksNoModel } from '#calls/pass-through/pass-through'
import { callerBudgets, callerLimits, promptCall } from '#calls/slots'
import { applyTargetParams, originOf, regionOf, requestParams } from '#calls/target-params'
import type { OwnedBudgets } from '#core/budgets'
import type { AdmitOptions, CallFacts, OwnedLimits, TargetFacts, TokenForecast } from '#core/limits'
import type { Buyable, Prices } from '#core/prices'
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

/** A call; a session, whose responses are charged by themselves; or such a part of one. */
export type AdmissionOf = 'call' | 'session' | 'part'

const NOTHING: TokenForecast = { inputTokens: 0, maxOutputTokens: 0 }

/** Limits and budgets of the caller and the target, and what the request may use there: told when one of them asks. */
export class Admission implements AdmitOptions {
  readonly owned: readonly OwnedLimits[]
  readonly budgets: readonly OwnedBudgets[]
  readonly target: Target
  readonly isFree: boolean
  readonly isPart: boolean
  readonly #of: AdmissionOf
  readonly #call: Call
  readonly #to: Target
  readonly #prices: Prices
  #most: Buyable | undefined

  /** @param of what is admitted */
  constructor(call: Call, to: Target, prices: Prices, of: AdmissionOf = 'call') {
    this.#of = of
    this.isPart = of === 'part'
    const ofCaller = call.get(callerLimits)
    const budgetsOfCaller = call.get(callerBudgets)
    this.owned = to.limits === undefined ? ofCaller : [...ofCaller, to.limits]
    this.budgets = to.budgets === undefined ? budgetsOfCaller : [...budgetsOfCaller, ...to.budgets]
    this.target = originOf(to)
    this.#to = to
    this.isFree = asksNoModel(call)
    this.#call = call
    this.#prices = prices
  }

  forecast(): TokenForecast {
    // Nobody can tell before what will be said: there has to be room for anything at all.
    if (this.#of !== 'call') return NOTHING
    const { endpoint } = this.#call
    const body = this.#params()
    const maximum = endpoint.isWritten ? maxOutputTokens(body) : 0
    return defined({ inputTokens: estimateInputTokens(body, endpoint.reads), maxOutputTokens: maximum })
  }

  worstCost(): number | undefined {
    const worst = this.#prices.worstOf(this.#buyable())
    return worst === undefined || this.#of !== 'session' ? worst : 0
  }

  mostTokens(): number {
    if (this.#of === 'session') return 0
    const { inputTokens, outputTokens } = this.#buyable().most
    return inputTokens + outputTokens
  }

  /** What the target will be asked for, by what the request and the config say. */
  #params(): Readonly<Record<string, unknown>> {
    return applyTargetParams(requestParams(this.#call, this.#to), this.#to)
  }

  #buyable(): Buyable {
    if (this.#most !== undefined) return this.#most
    const { provider, storedProvider, model } = this.#to
    const body = this.#params()
    const named = {
      provider: provider.id,
      models: [model ?? (typeof body.model === 'string' ? body.model : undefined)],
      workspaceId: this.#call.get(principal).workspaceId ?? '',
      storedProvider,
      region: regionOf(this.#to),
      tier: typeof body.service_tier === 'string' ? body.service_tier : undefined,
    }
    this.#most = { ...named, most: mostUsed(this.#call.endpoint, body, this.#prices.sizesOf(named)) }
    return this.#most
  }
}
