import { defineCheck, t } from '#kit'
import { askPartner, baseOf, joined, partnerParameters, pick, records, unreadable } from './partner.ts'

// Without `multipleOf` of the step .01: by the arithmetic of doubles 0.07 is no multiple of it.
const threshold = (what: string) =>
  t.Number({ minimum: 0, maximum: 1, default: 0.5, description: `Highest score of ${what} that passes.` })

/**
 * SydeGuard of SydeLabs. It has no public documentation any more: its form is inferred from a client that is (the plugin "sydelabs" of
 * Portkey-AI/gateway, sydeguard.ts, read 2026-11-23).
 */
export const sydeguard = defineCheck({
  id: 'sydelabs.sydeguard',
  summary: 'Passes when SydeGuard scores prompt injection, toxicity and evasion no higher than the thresholds.',
  parameters: t.Object({
    prompt_injection_threshold: threshold('prompt injection'),
    toxicity_threshold: threshold('toxicity'),
    evasion_threshold: threshold('evasion'),
    ...partnerParameters(),
  }),
  stages: ['input', 'output'],
  needs: ['fetch', 'credentials'],
  prepare({ prompt_injection_threshold, toxicity_threshold, evasion_threshold, credentials, timeout }) {
    const thresholds = [
      ['PROMPT_INJECT', prompt_injection_threshold],
      ['TOXIC', toxicity_threshold],
      ['EVASION', evasion_threshold],
    ] as const
    return {
      deadlineMs: timeout,
      async run({ texts }, powers) {
        const account = await powers.credentials(['sydelabs'], credentials)
        const answer = await askPartner(powers, {
          partner: 'SydeLabs',
          url: `${baseOf(account, 'https://guard.sydelabs.ai')}/api/v1/guard/generate-score`,
          headers: { ...account.headers, 'x-api-key': account.apiKey },
          body: { prompt: joined(texts) },
        })
        const categories = records(answer.category_scores)
        const scoreOf = (category: string): number => {
          const score = categories.find((known) => known.category === category)?.score
          if (typeof score === 'number') return score
          throw unreadable('SydeLabs', `no score of ${category}`)
        }
        return {
          verdict: thresholds.every(([category, highest]) => scoreOf(category) <= highest),
          data: { categories: categories.map((category) => pick(category, ['category', 'score', 'risk'])) },
        }
      },
    }
  },
})
