import type { ModelFacts, ModelPrice } from './price-form.ts'
import type { RecordedCost } from './records.ts'
import type { Usage } from './usage.ts'

/** What one attempt bought. */
export interface Bought {
  /** Id of the provider plugin. */
  readonly provider: string
  /** Names of the model, the most certain first: as the provider answered, as it was asked. */
  readonly models: readonly (string | undefined)[]
  readonly workspaceId: string
  /** Slug of the stored provider, whose integration may have prices of its own. */
  readonly storedProvider?: string | undefined
  /** Region of a cloud that the target names, where prices differ by it: `eu-central-1`. */
  readonly region?: string | undefined
  readonly usage: Usage
  /** Word of the answer or request for the tier that served it: `batch`, `flex`, `priority`. */
  readonly tier?: string | undefined
  /** US dollars that the provider says it charges; not those of a host that the caller named, who may say anything. */
  readonly reportedDollars?: number | undefined
}

/** What a call may buy at one target, before it is made. */
export interface Buyable extends Omit<Bought, 'usage' | 'reportedDollars'> {
  /** Tier that the request names; absent where it leaves it to the provider. */
  readonly tier?: string | undefined
  readonly most: MostUsed
}

/** The most that a call can use. Whole numbers of tokens. */
export interface MostUsed extends Pick<Usage, 'inputTokens' | 'outputTokens' | 'units' | 'picture'> {
  /** The request holds text alone: no sound, no image, no file. */
  readonly isText?: boolean
}

/** How much a model takes and gives, in tokens. */
export interface ModelSizes {
  /** Most input of one call, together with its output where the maker counts them as one. */
  readonly context?: number
  /** Most output for one choice. */
  readonly maxOutput?: number
}

export interface Priced {
  readonly cost: RecordedCost
  /** Where the price came from, as `CallRecord.priceId`. */
  readonly priceId: string
}

/** A price for anybody to see, in the form of the interface. */
export interface PublicPrice extends ModelPrice {
  /** How a cost is made of counts and rates. Absent where no tokens are sold. */
  readonly calculate?: { readonly request: Calculation; readonly response: Calculation }
  readonly currency: 'USD'
  /** What else is known of the model. */
  readonly about: ModelFacts
  readonly priceId: string
}

/** A sum or product of counts and rates. */
export type Calculation =
  | { readonly value: string }
  | { readonly operation: 'sum' | 'multiply'; readonly operands: readonly Calculation[] }

/** What models cost. Looked up for each call: from memory, at once, and never throwing. */
export interface Prices {
  /** Undefined where the price is not known: that is never zero. */
  costOf(bought: Bought): Priced | undefined
  /**
   * The most that a call can cost, in 10⁻¹² dollars: no usage within `most` costs more, whichever tier serves it and whatever
   * of it is cached. Undefined where the price is not known, or what the model is sold by is not in `most`. Searches and other
   * tools that the provider runs by itself are known afterwards alone, and not part of it.
   */
  worstOf(buyable: Buyable): number | undefined
  /** Undefined for a model that nothing is known of. The same object each time. */
  sizesOf(model: Omit<Buyable, 'most' | 'tier'>): ModelSizes | undefined
  /** The public price of a model, without what integrations say of it. */
  describe(provider: string, model: string): PublicPrice | undefined
  /** A page of the models whose public price is known, by provider and name. */
  list(asked: PricesAsked): PricesFound
}

/** Which prices somebody looks for. */
export interface PricesAsked {
  readonly provider?: string | undefined
  /** A part of the name of a model or provider, in either case. */
  readonly search?: string | undefined
  readonly offset: number
  readonly limit: number
}

export interface PricesFound {
  readonly rows: readonly { readonly provider: string; readonly model: string; readonly price: PublicPrice }[]
  readonly total: number
}

/** Nothing is known. */
export const NO_PRICES: Prices = {
  costOf: () => undefined,
  worstOf: () => undefined,
  sizesOf: () => undefined,
  describe: () => undefined,
  list: () => ({ rows: [], total: 0 }),
}

/** What is stored of a model that has a price of its own, or is made of another one. */
export interface OwnModel {
  readonly price?: ModelPrice
  /** The model that it is another name of, or was trained from. */
  readonly base?: string
  readonly isFinetune?: true
}

/** What is paid through a stored provider, where that is not the public price. */
export interface OwnPrices {
  /** Factors on the public price, as the interface writes them. */
  readonly adjustments?: Readonly<Record<string, unknown>>
  /** All names of a model that was asked for: those of its deployment, too. */
  namesOf(model: string): readonly string[]
  find(model: string): OwnModel | undefined
}

/** The prices of all stored providers, in memory. */
export interface StoredPrices {
  /** Undefined where the public prices hold. The same object until something changes. */
  find(workspaceId: string, slug: string): OwnPrices | undefined
}

/** Nobody has prices of their own. */
export const NO_STORED_PRICES: StoredPrices = { find: () => undefined }
