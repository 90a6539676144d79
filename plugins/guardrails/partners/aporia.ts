import { defineCheck, t } from '#kit'
import { askPartner, baseOf, joined, partnerParameters, pick, records, unreadable } from './partner.ts'

/**
 * The guardrails of a project of Aporia. What it would change it refuses: its own text is never put in.
 * Source: "REST API" of the guide of Aporia Guardrails (gr-docs.aporia.com/fundamentals/integration/rest-api, read 2026-11-23).
 */
export const validateProject = defineCheck({
  id: 'aporia.validateProject',
  summary: 'Passes when the policies of a project of Aporia let the text through as it is.',
  parameters: t.Object({
    projectID: t.String({ minLength: 1, maxLength: 128, description: 'Id of the project.' }),
    ...partnerParameters(),
  }),
  stages: ['input', 'output'],
  needs: ['fetch', 'credentials'],
  prepare: ({ projectID, credentials, timeout }) => ({
    deadlineMs: timeout,
    async run({ stage, texts, request }, powers) {
      const account = await powers.credentials(['aporia'], credentials)
      const answer = await askPartner(powers, {
        partner: 'Aporia',
        url: `${baseOf(account, 'https://gr-prd.aporia.com')}/${encodeURIComponent(projectID)}/validate`,
        headers: { ...account.headers, 'x-aporia-api-key': account.apiKey },
        body: {
          messages: [{ role: 'user', content: joined(request.texts) }],
          ...(stage === 'output' ? { response: joined(texts) } : {}),
          validation_target: stage === 'output' ? 'response' : 'prompt',
          explain: true,
        },
      })
      const { action, explain_log: policies } = answer
      if (typeof action !== 'string') throw unreadable('Aporia', 'no action')
      return {
        verdict: action === 'passthrough',
        data: { action, policies: records(policies).map((policy) => pick(policy, ['policy_id', 'target', 'result'])) },
      }
    },
  }),
})
