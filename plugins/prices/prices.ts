import { type BoundedMap, createBoundedMap } from '#core/bounded-map'
import type { Logger } from '#core/ports'
import type { Bought, Buyable, OwnPrices, Priced, Prices, StoredPrices } from '#core/prices'
import { charge } from './charge.ts'
import { createPriceLister, describePrice } from './describe.ts'
import { type FoundPrice, findPrice, type PriceSources } from './find-price.ts'
import { toPicodollars } from './rate.ts'
import { ratesFor } from './rates-for.ts'
import { worstCharge } from './worst.ts'

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

/** What a call is priced by. */
type Named = Omit<Buyable, 'most' | 'tier'>

/** Names of models that a provider has answered with for one that it was asked for. */
const MOST_ANSWERED = 8

interface Ready {
  /** By all names. */
  readonly found: BoundedMap<string, FoundPrice | 'unknown'>
  /** Prices of the models that have answered, by the names that they were asked for. */
  readonly answered: BoundedMap<string, readonly FoundPrice[]>
}

const createReady = (): Ready => ({ found: createBoundedMap(MOST_READY), answered: createBoundedMap(MOST_READY) })

const NONE: readonly FoundPrice[] = []

/** The prices of a list, a file and the integrations. */
export const createPrices = ({ storedPrices, log, ...sources }: PricesOptions): Prices => {
  const ready = createReady()
  const readyOf = new WeakMap<OwnPrices, Ready>()
  const said = new Set<string>()

  const ownOf = ({ storedProvider, workspaceId }: Named): OwnPrices | undefined =>
    storedProvider === undefined ? undefined : storedPrices.find(workspaceId, storedProvider)

  const readyFor = (own: OwnPrices | undefined): Ready => {
    if (own === undefined) return ready
    let kept = readyOf.get(own)
    if (kept === undefined) {
      kept = createReady()
      readyOf.set(own, kept)
    }
    return kept
  }

  const find = (named: Named, key: string): FoundPrice | undefined => {
    const own = ownOf(named)
    const kept = readyFor(own)
    const known = kept.found.get(key)
    if (known !== undefined) return known === 'unknown' ? undefined : known
    const found = findPrice(sources, named, own)
    kept.found.set(key, found ?? 'unknown')
    if (found !== undefined && named.models.length > 1) {
      const asked = askedKey(named)
      const before = kept.answered.peek(asked) ?? NONE
      kept.answered.set(asked, [found, ...before].slice(0, MOST_ANSWERED))
    }
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
      const bought = withoutLong(asked)
      const key = keyOf(bought)
      const found = find(bought, key)
      if (found === undefined) return sayUnpriced(bought, key, 'the model')
      const rates = ratesFor(found.price, bought.usage.inputTokens, bought.tier)
      if ('missing' in rates) return sayUnpriced(bought, key, rates.missing)
      const cost = charge(rates, bought.usage)
      return 'missing' in cost ? sayUnpriced(bought, key, cost.missing) : { cost, priceId: found.priceId }
    },
    worstOf(buyable) {
      const named = withoutLong(buyable)
      const found = find(named, keyOf(named))
      const others = readyFor(ownOf(named)).answered.peek(askedKey(named)) ?? NONE
      let worst: number | undefined
      for (const { price } of found === undefined ? others : [found, ...others]) {
        const cost = worstCharge(price, buyable.most, buyable.tier)
        if (cost === undefined) return undefined
        worst = Math.max(worst ?? 0, cost)
      }
      return worst
    },
    sizesOf(model) {
      const named = withoutLong(model)
      return find(named, keyOf(named))?.sizes
    },
    describe: (provider, model) => describePrice(sources, provider, model),
    list: createPriceLister(sources),
  }
}

const isLong = (name: string | undefined): boolean => name !== undefined && name.length > LONGEST_NAME

/** Names of models keep their places. */
const withoutLong = <Sold extends Named>(sold: Sold): Sold =>
  sold.models.some(isLong) ? { ...sold, models: sold.models.map((name) => (isLong(name) ? undefined : name)) } : sold

/** The last name is the one that is known before the call. */
const askedKey = (named: Named): string => keyOf({ ...named, models: named.models.slice(-1) })

const keyOf = ({ provider, region = '', models }: Named): string => `${provider}\n${region}\n${models.join('\n')}`

/** What a provider says it charges, which it does not divide. Nothing for what is no sum of money. */
const fromReport = (dollars: number | undefined): Priced | undefined => {
  if (dollars === undefined || !Number.isFinite(dollars) || dollars < 0) return undefined
  const total = toPicodollars(dollars)
  if (!Number.isSafeInteger(total)) return undefined
  return { cost: { total, input: 0, output: 0, cache: 0, other: total }, priceId: 'provider' }
}
