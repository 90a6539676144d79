import { defineEndpoint, definePlugin, jsonBody, t } from '#kit'

/** A kind of call that Weir does not know: a text in, a short one out. */
const summaries = defineEndpoint({
  id: 'summaries',
  described: { operationId: 'createSummary', summary: 'Say a text in few words.' },
  routes: [{ method: 'POST', path: '/summaries/:style' }],
  requestTypes: ['summarise'],
  operation: 'summarise',
  form: 'example/summaries',
  body: jsonBody(t.Object({ model: t.String(), text: t.String() })),
  answer: { kind: 'json', schema: t.Object({ summary: t.String() }) },
  cache: 'simple',
  reads: ['text'],
  isWritten: true,
})

export default definePlugin({
  name: 'example-summaries',
  config: t.Object({}),
  setup: () => ({ endpoints: [summaries] }),
})
