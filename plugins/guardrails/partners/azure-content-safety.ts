import { defineCheck, t } from '#kit'
import { apiVersion, askAzure } from './azure.ts'
import { joined, partnerParameters, pick, records, unreadable } from './partner.ts'
import { cut, eachOf } from './pieces.ts'

const PARTNER = 'Azure AI Content Safety'
const CATEGORIES = ['Hate', 'SelfHarm', 'Sexual', 'Violence'] as const

/** Characters of a request, as its documentation has it (code points; ours are UTF-16 units, never fewer). */
const MAX_CHARACTERS = 10_000

/**
 * Harm categories and blocklists of Azure. Source: "Analyze text" of the REST API of Azure AI Content Safety, 2024-09-01, as
 * azure-ai-contentsafety 1.0.0 (PyPI) models it, and "Use a blocklist" of its guide on Microsoft Learn; read 2026-11-23. A longer text
 * is asked for in pieces. Eight levels of severity are asked for, as they say the same of the even ones and more of the odd ones.
 */
export const contentSafety = defineCheck({
  id: 'azure.contentSafety',
  summary: 'Passes when Azure finds no category as severe as the threshold, and nothing of the blocklists.',
  parameters: t.Object({
    blocklistNames: t.Array(t.String({ minLength: 1, maxLength: 64 }), {
      default: [],
      maxItems: 10,
      description: 'Blocklists of the resource that may not match.',
    }),
    apiVersion: apiVersion('2024-09-01'),
    severity: t.Integer({ minimum: 0, maximum: 7, default: 2, description: 'Lowest severity that is refused.' }),
    categories: t.Array(t.Union(CATEGORIES.map((name) => t.Literal(name))), {
      default: [...CATEGORIES],
      uniqueItems: true,
      description: 'Categories that are looked for.',
    }),
    ...partnerParameters(),
  }),
  stages: ['input', 'output'],
  needs: ['fetch', 'credentials'],
  prepare: ({ blocklistNames, apiVersion, severity, categories, credentials, timeout }) => ({
    deadlineMs: timeout,
    async run({ texts }, powers) {
      const account = await powers.credentials(['azure'], credentials)
      const path = `/contentsafety/text:analyze?api-version=${apiVersion}`
      // A request that says nothing would be refused.
      const pieces = cut(joined(texts), MAX_CHARACTERS).filter((text) => text.trim() !== '')
      const answers = await eachOf(pieces, async (text) => {
        const body = { text, categories, blocklistNames, haltOnBlocklistHit: false, outputType: 'EightSeverityLevels' }
        const answer = await askAzure(powers, account, PARTNER, path, body)
        if (!Array.isArray(answer.categoriesAnalysis)) throw unreadable(PARTNER, 'no categories')
        return answer
      })
      const matches = answers.flatMap(({ blocklistsMatch }) =>
        records(blocklistsMatch).map((match) => pick(match, ['blocklistName', 'blocklistItemId'])),
      )
      const found = categories.map((category) => ({
        category,
        severity: Math.max(
          ...answers.map(({ categoriesAnalysis }) => severityOf(records(categoriesAnalysis), category)),
        ),
      }))
      return {
        verdict: matches.length === 0 && found.every((category) => category.severity < severity),
        data: { categories: found, blocklists: matches },
      }
    },
  }),
})

const severityOf = (analysis: readonly Readonly<Record<string, unknown>>[], category: string): number => {
  const severity = analysis.find((known) => known.category === category)?.severity
  if (typeof severity === 'number') return severity
  throw unreadable(PARTNER, `no severity of ${category}`)
}
