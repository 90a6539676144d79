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
