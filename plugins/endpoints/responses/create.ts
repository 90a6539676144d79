import { type Call, defineEndpoint, InvalidRequest, jsonBody, maybe, t, worded } from '#kit'
import { Count, Model } from '../fields.ts'
import { responseTexts } from '../texts/responses.ts'
import { responseAnswers, responsesUsage } from './answers.ts'
import { responseErrors } from './errors.ts'

const Item = t.Object({})

const fields = jsonBody(
  t.Object({
    model: maybe(Model),
    input: maybe(worded(t.Union([t.String(), t.Array(Item)]), 'must be a string or an array of items')),
    instructions: maybe(t.String()),
    stream: maybe(t.Boolean({ default: false })),
    stream_options: maybe(t.Object({})),
    max_output_tokens: maybe(Count),
    max_tool_calls: maybe(Count),
    metadata: maybe(t.Object({})),
    previous_response_id: maybe(t.String()),
    conversation: maybe(worded(t.Union([t.String(), t.Object({})]), 'must be a string or an object')),
    prompt: maybe(t.Object({})),
    reasoning: maybe(t.Object({})),
    text: maybe(t.Object({})),
    tools: maybe(t.Array(t.Object({ type: t.String() }))),
    tool_choice: maybe(worded(t.Union([t.String(), t.Object({})]), 'must be a string or an object')),
    truncation: maybe(worded(t.Union([t.Literal('auto'), t.Literal('disabled')]), 'must be `auto` or `disabled`')),
    include: maybe(t.Array(t.String())),
    parallel_tool_calls: maybe(t.Boolean({ default: true })),
    background: maybe(t.Boolean({ default: false })),
    store: maybe(t.Boolean({ default: true })),
    temperature: maybe(t.Number()),
    top_p: maybe(t.Number()),
    top_logprobs: maybe(Count),
    service_tier: maybe(t.String()),
    prompt_cache_key: maybe(t.String()),
    safety_identifier: maybe(t.String()),
    user: maybe(t.String()),
  }),
)

/** Bodies whose meaning is kept somewhere else may say nothing themselves. */
const SOURCES = ['prompt', 'previous_response_id', 'conversation']

/** What happens in the background, or is told by something that changes, is another answer each time. */
const STATE = ['background', 'conversation', 'prompt']

export const createResponse = defineEndpoint({
  id: 'responses',
  described: {
    operationId: 'createResponse',
    summary:
      'Ask a model, with tools and earlier responses; with `stream: true` the answer is a stream of server-sent events.',
  },
  routes: [{ method: 'POST', path: '/responses' }],
  requestTypes: ['createModelResponse'],
  operation: 'chat',
  form: 'responses',
  body: {
    ...fields,
    check(params) {
      fields.check(params)
      if (
        (params.input ?? undefined) === undefined &&
        SOURCES.every((name) => (params[name] ?? undefined) === undefined)
      ) {
        throw new InvalidRequest('`input` is required.', { param: 'input' })
      }
    },
  },
  answer: {
    kind: 'events',
    schema: t.Object({ id: t.String(), object: t.Literal('response'), output: t.Array(t.Unknown()) }),
    form: responseAnswers,
  },
  errors: responseErrors,
  cache: 'simple',
  isCacheable: ({ params }: Call) => STATE.every((name) => !params[name]),
  learnsPatience: true,
  reads: ['instructions', 'input', 'tools', 'text', 'prompt'],
  texts: responseTexts,
  isWritten: true,
  choicesOf: () => 1,
  usageOf: responsesUsage,
})
