import { type BoundedMap, createBoundedMap } from '#core/bounded-map'
import type { Logger } from '#core/ports'
import type { Bought, OwnPrices, Priced, Prices, StoredPrices } from '#core/prices'
import { charge } from './charge.ts'
import { describePrice } from './describe.ts'
import { type FoundPrice, findPrice, type PriceSources } from './find-price.ts'
import { toPicodollars } from './rate.ts'
import { ratesFor } from './rates-for.ts'

export interface PricesOptions extends PriceSources {
  readonly storedPrices: StoredPrices
  readonly log: Logger
}

/** Prices that are kept ready to multiply with, by the names of model that calls come with: callers choose those. */
const MOST_READY = 5_000
/** Models of which it is said that they have no price. */
const MOST_SAID = 1_000
/** No model has a longer name; callers may write anything. */
const LONGEST_NAME = 256

type Ready = BoundedMap<string, FoundPrice | 'unknown'>

/** The prices of a list, a file and the integrations. */
export const createPrices = ({ storedPrices, log, ...sources }: PricesOptions): Prices => {
  const ready: Ready = createBoundedMap(MOST_READY)
  const readyOf = new WeakMap<OwnPrices, Ready>()
  const said = new Set<string>()

  const find = (bought: Bought, key: string): FoundPrice | undefined => {
    const { storedProvider, workspaceId } = bought
    const own = storedProvider === undefined ? undefined : storedPrices.find(workspaceId, storedProvider)
    let kept = own === undefined ? ready : readyOf.get(own)
    if (kept === undefined) {
      kept = createBoundedMap(MOST_READY)
      if (own !== undefined) readyOf.set(own, kept)
    }
    const known = kept.get(key)
    if (known !== undefined) return known === 'unknown' ? undefined : known
    const found = findPrice(sources, bought, own)
    kept.set(key, found ?? 'unknown')
    return found
  }

  /** Once for each model and reason. */
  const sayUnpriced = (bought: Bought, key: string, missing: string): undefined => {
    const about = `${key}\n${missing}`
    if (said.has(about) || said.size >= MOST_SAID) return
    said.add(about)
    const [model] = bought.models.filter((name) => name !== undefined)
    log.warn('calls have no known price', { provider: bought.provider, model, missing })
  }

  return {
    costOf(asked) {
      const reported = fromReport(asked.reportedDollars)
      if (reported !== undefined) return reported
      const bought = asked.models.some(isLong)
        ? { ...asked, models: asked.models.filter((name) => !isLong(name)) }
        : asked
      const key = keyOf(bought)
      const found = find(bought, key)
      if (found === undefined) return sayUnpriced(bought, key, 'the model')
      const rates = ratesFor(found.price, bought.usage.inputTokens, bought.tier)
      if ('missing' in rates) return sayUnpriced(bought, key, rates.missing)
      const cost = charge(rates, bought.usage)
      return 'missing' in cost ? sayUnpriced(bought, key, cost.missing) : { cost, priceId: found.priceId }
    },
    describe: (provider, model) => describePrice(sources, provider, model),
  }
}

const isLong = (name: string | undefined): boolean => name !== undefined && name.length > LONGEST_NAME

const keyOf = ({ provider, region = '', models }: Bought): string => `${provider}\n${region}\n${models.join('\n')}`

/** What a provider says it charges, which it does not divide. Nothing for what is no sum of money. */
const fromReport = (dollars: number | undefined): Priced | undefined => {
  if (dollars === undefined || !Number.isFinite(dollars) || dollars < 0) return undefined
  const total = toPicodollars(dollars)
  if (!Number.isSafeInteger(total)) return undefined
  return { cost: { total, input: 0, output: 0, cache: 0, other: total }, priceId: 'provider' }
}
