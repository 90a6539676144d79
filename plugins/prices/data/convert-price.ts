import type { PayAsYouGo, Price, PricedUnit } from '#core/price-form'

/** Prices of a model as the collection of facts writes them: dollars per million tokens, or for one of something. */
export type PriceFacts = Readonly<Record<string, unknown>>

/** The number with its decimal point moved, to the digit: `0.15 * 1e-4` would be another one. */
export const shifted = (value: number, places: number): number => {
  const [digits, exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}

const cents = (dollars: number): Price => ({ price: shifted(dollars, 2) })
/** Dollars for a million as cents for one. */
const centsOfMillion = (dollars: number): Price => ({ price: shifted(dollars, -4) })

const TOKENS = {
  input: 'request_token',
  output: 'response_token',
  cache_read: 'cache_read_input_token',
  cache_write: 'cache_write_input_token',
  audio_input: 'request_audio_token',
  audio_output: 'response_audio_token',
  audio_cache_read: 'cache_read_audio_input_token',
} as const

const TOKEN_UNITS = {
  cache_write_1h: 'cache_write_1h_input_token',
  reasoning_output: 'thinking_token',
  image_input: 'request_image_token',
  image_output: 'image_token',
} as const

const MEASURES = {
  web_search_query: 'web_search',
  per_second_input: 'second',
  per_second_output: 'second',
  per_character_input: 'character',
  per_query: 'query',
  per_page_ocr: 'page',
  per_pixel_input: 'pixel',
} as const

const numberOf = (facts: PriceFacts, name: string): number | undefined => {
  const value = facts[name]
  return typeof value === 'number' && value >= 0 ? value : undefined
}

/** Whether all that is said of a model is nought: of most of them that means that nobody knows. */
export const isAllZero = (facts: PriceFacts): boolean =>
  Object.values(facts).every((value) => typeof value !== 'number' || value === 0)

/** Where a sum is asked for each of something, a price of nought for tokens says that they do not matter. */
const isMeasured = (facts: PriceFacts): boolean =>
  Object.keys(facts).some((name) => /^per_(?!image_output)/.test(name) && (numberOf(facts, name) ?? 0) > 0)

/** Prices of one tier. Nought for writing to a cache says that it costs no more than reading a prompt does. */
const tokenPrices = (facts: PriceFacts, dropZero: boolean): { prices: PayAsYouGo; units: Map<PricedUnit, Price> } => {
  const known = (name: string): number | undefined => {
    const value = numberOf(facts, name)
    return value === 0 && (dropZero || name.startsWith('cache_')) ? undefined : value
  }
  const prices: Record<string, Price> = {}
  for (const [name, field] of Object.entries(TOKENS)) {
    const value = known(name)
    if (value !== undefined) prices[field] = centsOfMillion(value)
  }
  const units = new Map<PricedUnit, Price>()
  for (const [name, unit] of Object.entries(TOKEN_UNITS)) {
    const value = known(name)
    if (value !== undefined) units.set(unit, centsOfMillion(value))
  }
  return { prices, units }
}

const withUnits = (prices: PayAsYouGo, units: ReadonlyMap<PricedUnit, Price>): PayAsYouGo =>
  units.size === 0 ? prices : { ...prices, additional_units: Object.fromEntries(units) }

/** Prices of tokens alone, as tiers have them. */
export const tierPrices = (facts: PriceFacts): PayAsYouGo => {
  const { prices, units } = tokenPrices(facts, false)
  return withUnits(prices, units)
}

/** Tokens of images are counted with the others: the price of one is the same said again. */
const countsImagesAsTokens = (model: string): boolean => /^(?:gemini|deep-research|nano-banana)/.test(model)

/**
 * What a model costs when nothing special is asked for. Undefined where no price is known.
 * @param kind what the model is for: the facts call a picture that is made `input` where nothing else is counted
 */
export const mainPrices = (facts: PriceFacts, model: string, kind: string): PayAsYouGo | undefined => {
  // Some of the collection's oldest entries charge for each request besides, which it leaves out.
  if (numberOf(facts, 'input') === 0 && (numberOf(facts, 'output') ?? 0) > 0) return undefined
  const { prices, units } = tokenPrices(facts, isMeasured(facts))
  for (const [name, unit] of Object.entries(MEASURES)) {
    const value = numberOf(facts, name)
    if (value !== undefined && value > 0 && !units.has(unit)) units.set(unit, cents(value))
  }
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool: it costs nothing but its tokens.
  if (model.includes('claude') && units.has('web_search')) units.set('web_fetch', { price: 0 })
  const makesImages = kind.startsWith('image') || numberOf(facts, 'image_output') !== undefined
  const given = numberOf(facts, 'per_image_input')
  const made = makesImages ? numberOf(facts, 'per_image_output') : undefined
  const perImage = made ?? (makesImages ? given : undefined)
  if (made !== undefined || !makesImages) {
    if (given !== undefined && given > 0 && !countsImagesAsTokens(model)) units.set('input_image', cents(given))
  }
  const all = withUnits(prices, units)
  const found = perImage === undefined || perImage === 0 ? all : { ...all, image: onlyImage(cents(perImage)) }
  return Object.keys(found).length === 0 ? undefined : found
}

const onlyImage = (price: Price): NonNullable<PayAsYouGo['image']> => ({ default: { default: price } })

/** Price of one image of that many pixels. Prices for a pixel are a published price divided: cut at 10⁻⁴ cents. */
export const imagePrice = (facts: PriceFacts, pixels: number): Price | undefined => {
  const whole = numberOf(facts, 'per_image_input')
  if (whole !== undefined) return cents(whole)
  const each = numberOf(facts, 'per_pixel_input')
  return each === undefined || each === 0 ? undefined : { price: Number((each * pixels * 100).toFixed(4)) }
}
