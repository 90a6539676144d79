import { estimateInputTokens } from '#calls/estimate-tokens'
import { defineEndpoint, jsonBody, t } from '#kit'
import { asked } from './body.ts'
import { anthropicErrors } from './errors.ts'
import { READS, rootsOf } from './places.ts'

/**
 * How many tokens a message would have. It is no call to a model: limits do not count it, and nothing of it is kept. Where the
 * provider has no counter Weir answers with the estimate that its limits go by.
 */
export const messagesCountTokens = defineEndpoint({
  id: 'messages-count-tokens',
  described: {
    operationId: 'countMessageTokens',
    summary: "Count the tokens of a request in Anthropic's form, without asking the model.",
  },
  routes: [{ method: 'POST', path: '/messages/count_tokens', roots: rootsOf }],
  requestTypes: ['messages-count-tokens'],
  operation: 'count_tokens',
  form: 'messages-count-tokens',
  body: jsonBody(t.Object(asked)),
  answer: { kind: 'json', schema: t.Object({ input_tokens: t.Integer() }) },
  errors: anthropicErrors,
  requestIdHeader: 'request-id',
  isCounted: false,
  reads: READS,
  answersItself: (params) => ({ input_tokens: estimateInputTokens(params, READS) }),
})
