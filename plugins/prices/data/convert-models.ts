import { defined } from '#core/defined'
import type { ModelFacts as AboutModel, ModelPrice } from '#core/price-form'
import { imagePrice, isAllZero, mainPrices, type PriceFacts, shifted, tierPrices } from './convert-price.ts'

/** One model as the collection of facts has it. */
export interface FactsOfModel extends AboutModel {
  readonly mode: string
  readonly price?: PriceFacts
}

/** One line of the price list. */
export interface ListedModel extends ModelPrice, AboutModel {
  readonly provider: string
  readonly model: string
}

export interface Facts {
  /** Date on which they were collected. */
  readonly read: string
  readonly providers: Readonly<Record<string, Readonly<Record<string, FactsOfModel>>>>
}

export interface Converted {
  readonly models: readonly ListedModel[]
  /** What no call can be matched with, as `provider/model`. */
  readonly leftOut: readonly string[]
}

/** Ids of the collection that are others here. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([['oci', 'oracle']])

/** Where nought is the price: the page of the provider says so. */
const FREE: ReadonlySet<string> = new Set([
  // https://platform.openai.com/docs/models/omni-moderation-latest
  'openai/omni-moderation-2024-09-26',
  'openai/omni-moderation-latest',
  // https://docs.z.ai/guides/overview/pricing
  'zai/glm-4.5-flash',
  'zai/glm-4.7-flash',
  // https://ai.google.dev/gemini-api/docs/pricing
  'google/gemma-4-26b-a4b-it',
  'google/gemma-4-31b-it',
])

/** `high/1024-x-1536/gpt-image-1` is a price of `gpt-image-1`. */
const SIZED = /^(?:(low|medium|high|standard|hd)\/)?(\d+)-x-(\d+)\/(.+)$/

/** Capacity that is hired by the hour, prices by steps that no answer names, and voices of another service. */
const UNMATCHED = /commitment\/|-steps\/|^(?:generative|neural|long-form|standard)$/

/** The facts in the form of the price list, by provider and model. */
export const convertModels = ({ providers }: Facts): Converted => {
  const models: ListedModel[] = []
  const leftOut: string[] = []
  for (const [id, facts] of Object.entries(providers).toSorted(byName)) {
    const provider = PROVIDERS.get(id) ?? id
    const sized = new Map<string, Map<string, Record<string, { price: number }>>>()
    for (const [name, { price = {} }] of Object.entries(facts)) {
      const [, quality, width, height, model = ''] = SIZED.exec(name) ?? []
      if (width === undefined || height === undefined || UNMATCHED.test(name)) continue
      const cost = imagePrice(price, Number(width) * Number(height))
      // Without a word about the quality the provider chooses one: what that costs is not known before.
      if (quality === undefined || cost === undefined) {
        leftOut.push(`${provider}/${name}`)
        continue
      }
      const qualities = sized.get(model) ?? new Map<string, Record<string, { price: number }>>()
      qualities.set(quality, { ...qualities.get(quality), [`${width}x${height}`]: cost })
      sized.set(model, qualities)
    }
    for (const [name, model] of Object.entries(facts).toSorted(byName)) {
      if (UNMATCHED.test(name)) leftOut.push(`${provider}/${name}`)
      else if (!SIZED.test(name)) models.push(convertModel(provider, name, model, sized.get(name)))
    }
    for (const [model, qualities] of sized) {
      if (facts[model] === undefined)
        models.push(convertModel(provider, model, { mode: 'image', price: {} }, qualities))
    }
  }
  return { models, leftOut }
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0

const convertModel = (
  provider: string,
  model: string,
  { price: facts, mode, context, max_output, dimensions, abilities, retires, source }: FactsOfModel,
  sized: ReadonlyMap<string, Readonly<Record<string, { price: number }>>> | undefined,
): ListedModel => {
  const about = defined({ mode, context, max_output, dimensions, abilities, retires, source })
  const isKnown = facts !== undefined && (!isAllZero(facts) || FREE.has(`${provider}/${model}`))
  const main = isKnown ? mainPrices(facts, model, mode) : undefined
  const images = sized === undefined ? undefined : { ...main?.image, ...Object.fromEntries(sized) }
  return {
    provider,
    model,
    ...defined({
      pay_as_you_go: images === undefined ? main : { ...main, image: images },
      context_tiers: isKnown ? contextTiers(facts) : undefined,
      service_tiers: facts === undefined ? undefined : serviceTiers(provider, facts),
    }),
    ...about,
  }
}

const TIERS = ['batch', 'flex', 'priority'] as const

const contextTiers = ({ above }: PriceFacts): ListedModel['context_tiers'] =>
  Array.isArray(above)
    ? above.map(({ input_tokens, ...facts }) => ({
        above_input_tokens: input_tokens,
        pay_as_you_go: tierPrices(facts),
      }))
    : undefined

const serviceTiers = (provider: string, facts: PriceFacts): ListedModel['service_tiers'] => {
  const tiers = TIERS.flatMap((tier) => {
    const own = facts[tier] as PriceFacts | undefined
    if (own === undefined) return []
    const whole = tier === 'batch' && provider === 'anthropic' ? { ...own, ...hourWrites(facts, own) } : own
    return [[tier, { pay_as_you_go: tierPrices(whole) }] as const]
  })
  return tiers.length === 0 ? undefined : Object.fromEntries(tiers)
}

/**
 * A cache of an hour costs twice what input does, in batches too, which the collection leaves out
 * (https://platform.claude.com/docs/en/about-claude/pricing: the multipliers stack).
 */
const hourWrites = (facts: PriceFacts, batch: PriceFacts): PriceFacts =>
  typeof facts.cache_write_1h === 'number' && typeof batch.input === 'number'
    ? { cache_write_1h: shifted(Math.round(shifted(batch.input, 6)) * 2, -6) }
    : {}
