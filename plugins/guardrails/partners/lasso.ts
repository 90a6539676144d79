import { defineCheck, t } from '#kit'
import { askPartner, baseOf, joined, partnerParameters, pick, records, unreadable } from './partner.ts'

/**
 * The deputies of Lasso Security. Its reference needs a login; the form is that of "Lasso Security" of the documentation of LiteLLM
 * (docs/proxy/guardrails/lasso_security, read 2026-11-23) and of its client lasso.py: `violations_detected`, and `findings` of
 * deputies whose actions are BLOCK, AUTO_MASKING or WARN. Only the first of them refuses, as there.
 */
export const classify = defineCheck({
  id: 'lasso.classify',
  summary: 'Passes unless a deputy of Lasso wants the text blocked.',
  parameters: t.Object(
    {
      conversationId: t.Optional(t.String({ maxLength: 256, description: 'Conversation, in the console of Lasso.' })),
      userId: t.Optional(t.String({ maxLength: 256, description: 'User, in the console of Lasso.' })),
      ...partnerParameters(),
    },
    // The interface leaves its parameters open.
    { additionalProperties: true },
  ),
  stages: ['input', 'output'],
  needs: ['fetch', 'credentials'],
  prepare: ({ conversationId, userId, credentials, timeout }) => ({
    deadlineMs: timeout,
    async run({ stage, texts }, powers) {
      const account = await powers.credentials(['lasso'], credentials)
      const isAnswer = stage === 'output'
      const answer = await askPartner(powers, {
        partner: 'Lasso',
        url: `${baseOf(account, 'https://server.lasso.security')}/gateway/v3/classify`,
        headers: { ...account.headers, 'lasso-api-key': account.apiKey },
        body: {
          messages: [{ role: isAnswer ? 'assistant' : 'user', content: joined(texts) }],
          messageType: isAnswer ? 'COMPLETION' : 'PROMPT',
          ...(conversationId === undefined ? {} : { sessionId: conversationId }),
          ...(userId === undefined ? {} : { userId }),
        },
      })
      const { violations_detected: isViolated, deputies, findings } = answer
      if (typeof isViolated !== 'boolean') throw unreadable('Lasso', 'no word on violations')
      const found = Object.entries(toFields(findings)).flatMap(([deputy, list]) =>
        records(list).map((finding) => ({ deputy, ...pick(finding, ['name', 'category', 'action', 'severity']) })),
      )
      const isBlocked = found.length === 0 || found.some((finding) => 'action' in finding && finding.action === 'BLOCK')
      return { verdict: !(isViolated && isBlocked), data: { deputies, findings: found } }
    },
  }),
})

const toFields = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})
