import type { RecordedCost } from '#core/records'
import type { Unit, Usage } from '#core/usage'
import type { Rates } from './compile.ts'
import { PARTS, type Part } from './parts.ts'
import { type Rate, TokenSum, UnitSum } from './rate.ts'

/** What it costs, or what nobody knows the price of. */
export type Charged = RecordedCost | { readonly missing: string }

const FIELDS = Object.fromEntries(PARTS.map(([part, { field }]) => [part, field])) as Readonly<Record<Part, string>>

/** These measure what tokens measure as well: where tokens have a price and are counted, they cost nothing more. */
const MEASURES: ReadonlySet<string> = new Set<Unit>(['image', 'second', 'character', 'page', 'query'])

/** More of something than any call buys: what claims to is not believed. */
const MOST_UNITS = 1_000_000_000

/** What was used, at these rates. Each part is rounded once, half to even. */
export const charge = (rates: Rates, usage: Usage): Charged => {
  const sums = { input: new TokenSum(), output: new TokenSum(), cache: new TokenSum() }
  const hasUsed = usage.inputTokens > 0 || usage.outputTokens > 0
  const missingToken = rates.hasTokens
    ? (chargeInput(rates, usage, sums) ?? chargeOutput(rates, usage, sums))
    : undefined
  if (missingToken !== undefined) return { missing: FIELDS[missingToken] }
  const other = new UnitSum()
  const bought = chargeUnits(rates, usage, rates.hasTokens && hasUsed, other)
  if (typeof bought === 'string') return { missing: bought }
  // A model that is sold by the second, of whose seconds nothing was said.
  if (!rates.hasTokens && bought === 0) return { missing: countsOf(rates) }
  const [input, output, cache] = [sums.input.rounded(), sums.output.rounded(), sums.cache.rounded()]
  const rest = other.rounded()
  const total = input + output + cache + rest
  if (!Number.isSafeInteger(total)) return { missing: 'so much' }
  return { total, input, output, cache, other: rest }
}

const countsOf = ({ units, images }: Rates): string =>
  `a count of ${[...units.keys(), ...(images.size > 0 ? ['image'] : [])].join(' or ')}`

interface TokenSums {
  readonly input: TokenSum
  readonly output: TokenSum
  readonly cache: TokenSum
}

/** @returns the part that has no price */
const chargeInput = ({ parts }: Rates, usage: Usage, { input, cache }: TokenSums): Part | undefined => {
  const all = usage.inputTokens
  const cached = Math.min(usage.cachedInputTokens ?? 0, all)
  const written = Math.min(usage.cacheWriteTokens ?? 0, all - cached)
  const hour = Math.min(usage.hourCacheWriteTokens ?? 0, written)
  const fresh = all - cached - written
  const sound = usage.audioInputTokens ?? 0
  // Where nobody says which tokens were cached, as few of them as can be are sound, which costs more.
  const cachedSound = Math.min(usage.cachedAudioInputTokens ?? Math.max(0, sound - fresh), sound, cached)
  const freshSound = Math.min(sound - cachedSound, fresh)
  const images = Math.min(usage.imageInputTokens ?? 0, fresh - freshSound)
  return (
    add(input, fresh - freshSound - images, parts, 'input') ??
    add(input, freshSound, parts, 'audioInput') ??
    add(input, images, parts, 'imageInput') ??
    add(cache, cached - cachedSound, parts, 'cacheRead') ??
    add(cache, cachedSound, parts, 'cachedAudio') ??
    add(cache, written - hour, parts, 'cacheWrite') ??
    add(cache, hour, parts, 'hourWrite')
  )
}

const chargeOutput = ({ parts }: Rates, usage: Usage, { output }: TokenSums): Part | undefined => {
  const all = usage.outputTokens
  const thoughts = Math.min(usage.reasoningTokens ?? 0, all)
  const sound = Math.min(usage.audioOutputTokens ?? 0, all - thoughts)
  // An answer of images that does not say which tokens are theirs has no others.
  const isPictures = (usage.units?.image ?? 0) > 0 && parts.imageOutput !== undefined
  const images = Math.min(usage.imageOutputTokens ?? (isPictures ? all : 0), all - thoughts - sound)
  return (
    add(output, all - thoughts - sound - images, parts, 'output') ??
    add(output, thoughts, parts, 'reasoning') ??
    add(output, sound, parts, 'audioOutput') ??
    add(output, images, parts, 'imageOutput')
  )
}

const add = (sum: TokenSum, count: number, parts: Rates['parts'], part: Part): Part | undefined => {
  if (count <= 0) return undefined
  const rate = parts[part]
  if (rate === undefined) return part
  sum.add(count, rate)
  return undefined
}

/** @returns how many kinds of units were charged, or the one that has no price */
const chargeUnits = (rates: Rates, usage: Usage, hasPaid: boolean, sum: UnitSum): number | string => {
  if (usage.units === undefined) return 0
  let charged = 0
  for (const [unit, count] of Object.entries(usage.units)) {
    if (!(count > 0)) continue
    const rate = unit === 'image' ? imageRate(rates, usage.picture) : rates.units.get(unit)
    if (hasPaid && MEASURES.has(unit) && isInTokens(unit, rate, rates, usage)) continue
    if (rate === undefined || count > MOST_UNITS) return unit
    charged++
    sum.add(count, rate)
  }
  return charged
}

/** Whether the tokens that were charged are those of this measure. */
const isInTokens = (unit: string, rate: Rate | undefined, { parts }: Rates, { estimated }: Usage): boolean => {
  if (unit === 'query') return rate === undefined
  // Weir itself counts the tokens of texts: what was heard, said or drawn is not among them.
  if (estimated === true) return false
  return unit !== 'image' || rate === undefined || parts.imageOutput !== undefined
}

/** One image of a quality and size, as the request names them. */
export const imageRate = ({ images, units }: Rates, picture: Usage['picture']): Rate | undefined => {
  const { quality = 'default', size = 'default' } = picture ?? {}
  const [given, plain] = [images.get(quality), images.get('default')]
  const rate = given?.get(size) ?? given?.get('default') ?? plain?.get(size) ?? plain?.get('default')
  const pixel = units.get('pixel')
  if (rate !== undefined || pixel === undefined) return rate
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  if (width === undefined || height === undefined) return undefined
  const pixels = Number(width) * Number(height)
  const millionths = pixels * pixel.rest
  return { whole: pixels * pixel.whole + Math.floor(millionths / 1_000_000), rest: millionths % 1_000_000 }
}
