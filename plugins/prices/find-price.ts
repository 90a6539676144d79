import { defined } from '#core/defined'
import type { ModelFacts, ModelPrice } from '#core/price-form'
import type { Bought, ModelSizes, OwnPrices } from '#core/prices'
import { type CompiledPrice, compilePrice } from './compile.ts'
import { toFactors } from './factors.ts'
import { CHOSEN_NAMES, listedName } from './names.ts'
import type { PriceFile } from './price-file.ts'
import type { PriceList } from './price-list.ts'

/** A price, and where it is from. */
export interface FoundPrice {
  readonly price: CompiledPrice
  readonly priceId: string
  readonly sizes: ModelSizes | undefined
}

export interface PriceSources {
  readonly list: PriceList
  /** The operator's file; empty where there is none. */
  readonly file: PriceFile
}

/** Stands for every other model of a provider in the operator's file. */
export const OTHERS = '*'

/** A price in the operator's file or the list, under one of these names; the file wins whatever the name. */
export const publicPrice = (
  { list, file }: PriceSources,
  provider: string,
  names: readonly string[],
  region?: string,
): { readonly price: ModelPrice & ModelFacts; readonly priceId: string } | undefined => {
  const own = new Map(Object.entries(file[provider] ?? {}))
  for (const name of names) {
    const listed = listedName(provider, name, (each) => own.has(each), region)
    const price = listed === undefined ? undefined : own.get(listed)
    if (price !== undefined) return { price, priceId: 'file' }
  }
  for (const name of names) {
    const listed = listedName(provider, name, (each) => list.has(provider, each), region)
    const price = listed === undefined ? undefined : list.find(provider, listed)
    if (price !== undefined) return { price, priceId: `table:${list.date}` }
  }
  const other = own.get(OTHERS)
  return other === undefined ? undefined : { price: other, priceId: 'file' }
}

/** Hosts that charge the sound in a request as its text, unless they say otherwise (https://ai.google.dev/gemini-api/docs/pricing). */
const SOUND_IS_TEXT: ReadonlySet<string> = new Set(['google', 'vertex-ai'])

type Asked = Pick<Bought, 'provider' | 'models' | 'region'>

/** The price that holds for a model: that of the integration, else the public one by its factors. Undefined: none is known. */
export const findPrice = (
  sources: PriceSources,
  { provider, models, region }: Asked,
  own: OwnPrices | undefined,
): FoundPrice | undefined => {
  const told = models.filter((model) => model !== undefined)
  const all = own === undefined ? told : [...new Set([...told, ...told.flatMap((model) => own.namesOf(model))])]
  const stored = own === undefined ? [] : all.flatMap((model) => own.find(model) ?? [])
  const fixed = stored.find(({ price }) => price !== undefined)?.price
  const [answered] = models
  const certain = CHOSEN_NAMES.has(provider)
    ? [...(answered === undefined ? [] : [answered]), ...all.filter((model) => !told.includes(model))]
    : all
  const bases = stored.flatMap(({ base, isFinetune }) => (base === undefined ? [] : [isFinetune ? `ft:${base}` : base]))
  const found = publicPrice(sources, provider, [...certain, ...bases], region)
  const sizes = sizesOf(found?.price)
  if (fixed !== undefined)
    return { price: compilePrice(fixed, { asText: 'everything' }), priceId: 'integration', sizes }
  if (found === undefined) return undefined
  const asText = found.priceId === 'file' ? 'everything' : SOUND_IS_TEXT.has(provider) ? 'sound' : 'nothing'
  const factors = toFactors(own?.adjustments)
  if (factors === undefined) return { price: compilePrice(found.price, { asText }), priceId: found.priceId, sizes }
  return { price: compilePrice(found.price, { asText, factors }), priceId: 'integration', sizes }
}

const sizesOf = ({ context, max_output: maxOutput }: ModelFacts = {}): ModelSizes | undefined =>
  context === undefined && maxOutput === undefined ? undefined : defined({ context, maxOutput })
