import { type Check, defineCheck, t } from '#kit'
import { askPartner, baseOf, joined, partnerParameters, pick, unreadable } from './partner.ts'

const SCANNERS = ['prompt_injection', 'pii', 'secrets', 'toxic_language', 'invisible_characters'] as const

/**
 * The scanners of Pillar Security. Its documentation of these two routes is not public: their form is inferred from a client that is
 * (the plugin "pillar" of Portkey-AI/gateway, globals.ts and scanPrompt.ts, read 2026-11-23). A scanner says true, false, or null
 * when it did not run.
 */
const scan = (id: string, summary: string, stage: 'input' | 'output', path: string): Check =>
  defineCheck({
    id,
    summary,
    parameters: t.Object({
      scanners: t.Array(t.Union(SCANNERS.map((name) => t.Literal(name))), {
        minItems: 1,
        uniqueItems: true,
        description: 'Scanners of which none may find anything.',
      }),
      ...partnerParameters(),
    }),
    stages: [stage],
    needs: ['fetch', 'credentials'],
    prepare: ({ scanners, credentials, timeout }) => ({
      deadlineMs: timeout,
      async run({ texts }, powers) {
        const account = await powers.credentials(['pillar'], credentials)
        const answer = await askPartner(powers, {
          partner: 'Pillar',
          url: `${baseOf(account, 'https://api.pillarseclabs.com')}/api/v1/scan/${path}`,
          headers: { ...account.headers, authorization: `Bearer ${account.apiKey}` },
          body: { message: joined(texts), scanners: Object.fromEntries(scanners.map((name) => [name, true])) },
        })
        if (!scanners.some((name) => typeof answer[name] === 'boolean')) throw unreadable('Pillar', 'no scanner')
        return { verdict: !scanners.some((name) => answer[name] === true), data: pick(answer, scanners) }
      },
    }),
  })

export const scanPrompt = scan(
  'pillar.scanPrompt',
  'Passes when no scanner of Pillar finds anything in the prompt.',
  'input',
  'prompt',
)

export const scanResponse = scan(
  'pillar.scanResponse',
  'Passes when no scanner of Pillar finds anything in the answer.',
  'output',
  'response',
)
