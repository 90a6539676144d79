import { defined } from '../../core/defined.ts'
import { check } from '../../core/json/check.ts'
import type { ModelPrice } from '../../core/price-form.ts'
import type { OwnModel, OwnPrices, StoredPrices } from '../../core/prices.ts'
import type { ProviderSnapshot } from '../../store/memory/provider-snapshot.ts'
import type { StoredIntegration, StoredModel } from '../../store/memory/stored-providers.ts'
import { PricingConfig } from '../integrations/pricing.ts'
import { namesOfModel } from './target-settings.ts'

/** What integrations say of prices, made once for each version of one that is in memory. */
export const createStoredPrices = (snapshot: Pick<ProviderSnapshot, 'find'>): StoredPrices => {
  const known = new WeakMap<StoredIntegration, OwnPrices>()
  return {
    find(workspaceId, slug) {
      const integration = snapshot.find(workspaceId, slug)?.integration
      if (integration === undefined || !saysSomething(integration)) return undefined
      const before = known.get(integration)
      if (before !== undefined) return before
      const prices = toOwnPrices(integration)
      known.set(integration, prices)
      return prices
    },
  }
}

/** Whether anything of it can change what a call costs. */
const saysSomething = ({ pricingAdjustments, configurations, models }: StoredIntegration): boolean =>
  pricingAdjustments !== null || configurations.azure_deployment_config !== undefined || models.bySlug.size > 0

const toOwnPrices = ({ pricingAdjustments, configurations, models }: StoredIntegration): OwnPrices => {
  const own = new Map([...models.bySlug].map(([slug, model]) => [slug, toOwnModel(model)]))
  return {
    ...(pricingAdjustments === null ? {} : { adjustments: { ...pricingAdjustments } }),
    namesOf: (model) => namesOfModel(configurations, model),
    find: (model) => own.get(model),
  }
}

const toOwnModel = ({ pricingConfig, baseModelSlug, isFinetune }: StoredModel): OwnModel =>
  defined({
    price: priceOf(pricingConfig),
    base: baseModelSlug ?? undefined,
    isFinetune: isFinetune ? (true as const) : undefined,
  })

/** An empty one says nothing. */
const priceOf = (config: StoredModel['pricingConfig']): ModelPrice | undefined => {
  const checked = check(PricingConfig, config)
  if (!checked.ok || Object.keys(checked.value.pay_as_you_go).length === 0) return undefined
  return { pay_as_you_go: checked.value.pay_as_you_go }
}
