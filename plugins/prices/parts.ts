import type { PayAsYouGo } from '#core/price-form'

/** Tokens that may have a price of their own. */
export type Part =
  | 'input'
  | 'output'
  | 'cacheRead'
  | 'cacheWrite'
  | 'hourWrite'
  | 'audioInput'
  | 'cachedAudio'
  | 'imageInput'
  | 'reasoning'
  | 'audioOutput'
  | 'imageOutput'

/** Cents for a token. `null`: nobody says what it costs, and it is not what another part costs. */
export type PartPrices = Readonly<Partial<Record<Part, number | null>>>

interface PartRule {
  /** Its field in the interface. */
  readonly field: string
  /** The part whose price it has where it has none of its own; undefined: its price is not known then. */
  standsIn(prices: PartPrices, asText: AsText): Part | undefined
}

/**
 * Tokens that cost what those of text do, where no price says otherwise: those of sound in a request with some hosts,
 * every kind in a price that somebody writes down himself.
 */
export type AsText = 'nothing' | 'sound' | 'everything'

const nothing = (): undefined => undefined
const as = (part: Part) => (): Part => part
const wherePlain = (part: Part) => (_: PartPrices, asText: AsText) => (asText === 'everything' ? part : undefined)

/**
 * In an order in which each comes after the one that stands in for it. Published lists name no price for cached tokens of
 * models without a discount on them, nor for thinking and seeing where these are tokens like others; sound always costs something else, but
 * with hosts that say so.
 */
export const PARTS: readonly (readonly [Part, PartRule])[] = [
  ['input', { field: 'request_token', standsIn: nothing }],
  ['output', { field: 'response_token', standsIn: nothing }],
  ['cacheRead', { field: 'cache_read_input_token', standsIn: as('input') }],
  ['cacheWrite', { field: 'cache_write_input_token', standsIn: as('input') }],
  ['hourWrite', { field: 'cache_write_1h_input_token', standsIn: wherePlain('cacheWrite') }],
  [
    'audioInput',
    { field: 'request_audio_token', standsIn: (_, asText) => (asText === 'nothing' ? undefined : 'input') },
  ],
  [
    'cachedAudio',
    {
      field: 'cache_read_audio_input_token',
      standsIn: ({ audioInput }, asText) =>
        asText === 'nothing' || audioInput !== undefined ? undefined : 'cacheRead',
    },
  ],
  ['imageInput', { field: 'request_image_token', standsIn: as('input') }],
  ['reasoning', { field: 'thinking_token', standsIn: as('output') }],
  ['audioOutput', { field: 'response_audio_token', standsIn: wherePlain('output') }],
  ['imageOutput', { field: 'image_token', standsIn: wherePlain('output') }],
]

/** The prices of tokens in a list. Where only sound or images have one, the model takes or makes nothing else. */
export const partPrices = (prices: PayAsYouGo): PartPrices => {
  const { additional_units: units = {} } = prices
  const [audioInput, audioOutput] = [prices.request_audio_token?.price, prices.response_audio_token?.price]
  const imageOutput = units.image_token?.price
  const found: Partial<Record<Part, number | undefined>> = {
    input: prices.request_token?.price ?? audioInput,
    output: prices.response_token?.price ?? imageOutput ?? audioOutput,
    cacheRead: prices.cache_read_input_token?.price,
    cacheWrite: prices.cache_write_input_token?.price,
    hourWrite: units.cache_write_1h_input_token?.price,
    audioInput,
    cachedAudio: prices.cache_read_audio_input_token?.price,
    imageInput: units.request_image_token?.price,
    reasoning: units.thinking_token?.price,
    audioOutput,
    imageOutput,
  }
  return Object.fromEntries(Object.entries(found).filter(([, price]) => price !== undefined))
}

/** Parts that cost the same as another one in the tier where they cost the same in the base. */
const MAIN: Readonly<Partial<Record<Part, Part>>> = {
  cacheRead: 'input',
  cacheWrite: 'input',
  audioInput: 'input',
  cachedAudio: 'cacheRead',
  imageInput: 'input',
  reasoning: 'output',
  audioOutput: 'output',
  imageOutput: 'output',
}

/**
 * Prices of a tier, which names only some. One that it leaves out is not that of the base: where a part costs what another
 * one does, it does so in the tier too; cached tokens have no discount then; of any other part nothing is known.
 */
export const fillTier = (tier: PartPrices, base: PartPrices): PartPrices => {
  const filled: Partial<Record<Part, number | null>> = { ...tier }
  for (const [part] of PARTS) {
    const before = base[part]
    if (filled[part] !== undefined || before === undefined) continue
    const main = MAIN[part]
    const follows = main !== undefined && (before === base[main] || part === 'cacheRead')
    filled[part] = follows ? (filled[main] ?? null) : null
  }
  return filled
}
