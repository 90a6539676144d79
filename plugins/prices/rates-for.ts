import type { ServiceTier } from '#core/price-form'
import type { CompiledPrice, Rates } from './compile.ts'

/** Words of providers for what everybody gets. */
const STANDARD: ReadonlySet<string> = new Set(['', 'default', 'standard', 'auto', 'on_demand', 'none'])

/** Words for the others: of OpenAI, Anthropic, Groq, Google (`trafficType`) and Bedrock. */
const TIERS: ReadonlyMap<string, ServiceTier> = new Map([
  ['batch', 'batch'],
  ['flex', 'flex'],
  ['on_demand_flex', 'flex'],
  ['priority', 'priority'],
  ['on_demand_priority', 'priority'],
])

/** The rates that a call of that size pays in a tier, or what has no price. */
export const ratesFor = (
  { standard, contextTiers, serviceTiers }: CompiledPrice,
  inputTokens: number,
  word = '',
): Rates | { readonly missing: string } => {
  const name = word.toLowerCase()
  const context = contextTiers.find(({ above }) => inputTokens > above)
  if (STANDARD.has(name)) return context?.rates ?? standard ?? { missing: 'the standard tier' }
  const tier = TIERS.get(name)
  const rates = tier === undefined ? undefined : serviceTiers[tier]
  if (rates === undefined) return { missing: `the tier '${word.slice(0, 64)}'` }
  // A list has no prices for both at once.
  return context === undefined ? rates : { missing: `the tier '${tier}' above ${context.above} tokens` }
}

/** Words of requests that keep a call in the standard tier, or lead to one that costs less. */
const NEVER_DEARER: ReadonlySet<string> = new Set([
  'default',
  'standard',
  'standard_only',
  'on_demand',
  'batch',
  'flex',
])

/**
 * All rates that a call of up to that size may pay. Where the request leaves the tier open the provider may serve it in any; a
 * cheaper one that it names may be full.
 */
export const possibleRates = (
  { standard, contextTiers, serviceTiers }: CompiledPrice,
  mostInputTokens: number,
  word = '',
): readonly Rates[] => {
  const inReach = contextTiers.flatMap(({ above, rates }) => (mostInputTokens > above ? [rates] : []))
  const all = standard === undefined ? inReach : [standard, ...inReach]
  if (!NEVER_DEARER.has(word.toLowerCase())) return [...all, ...Object.values(serviceTiers)]
  const tier = TIERS.get(word.toLowerCase())
  const named = tier === undefined ? undefined : serviceTiers[tier]
  return named === undefined ? all : [...all, named]
}
