import { type Endpoint, type Stage, t } from '#kit'
import { deleted, keptObject, listOf, Metadata, shown } from '../kept-objects.ts'
import { RETIRED } from './retired.ts'

const PATH = '/assistants/:assistant_id'

/** "Assistants" of OpenAI's API reference, as types of openai-node 7.55.0 say it (resources/beta/assistants.d.ts), read 2026-11-24. */
const FIELDS = {
  name: t.Optional(t.String({ maxLength: 256 })),
  description: t.Optional(t.String({ maxLength: 512 })),
  instructions: t.Optional(t.String({ maxLength: 256_000 })),
  tools: t.Optional(t.Array(t.Object({ type: t.String() }), { maxItems: 128 })),
  tool_resources: t.Optional(t.Object({})),
  metadata: t.Optional(Metadata),
  temperature: t.Optional(t.Number()),
  top_p: t.Optional(t.Number()),
  response_format: t.Optional(t.Union([t.String(), t.Object({ type: t.String() })])),
}

/** A change that names no model is one of something else: a provider of which only some models may be used lets it through. */
const modelStays: Stage = {
  name: 'assistant-model',
  run(call, next) {
    if (call.params.model === undefined) call.become({ ...call.endpoint, hasModel: false })
    return next()
  },
}

const modify = keptObject({
  id: 'assistant-modify',
  at: `POST ${PATH}`,
  operationId: 'modifyAssistant',
  summary: 'Change an assistant.',
  sent: t.Object({ model: t.Optional(t.String()), ...FIELDS }),
  answered: shown('assistant'),
  hasModel: true,
  deprecated: RETIRED,
})

export const assistants: readonly Endpoint[] = [
  keptObject({
    id: 'assistant-list',
    at: 'GET /assistants',
    operationId: 'listAssistants',
    summary: 'List assistants.',
    answered: listOf('assistant'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'assistant-create',
    at: 'POST /assistants',
    operationId: 'createAssistant',
    summary: 'Make an assistant.',
    operation: 'create_agent',
    sent: t.Object({ model: t.String(), ...FIELDS }),
    answered: shown('assistant'),
    hasModel: true,
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'assistant-retrieve',
    at: `GET ${PATH}`,
    operationId: 'getAssistant',
    summary: 'Show an assistant.',
    answered: shown('assistant'),
    deprecated: RETIRED,
  }),
  { ...modify, stages: [...(modify.stages ?? []), modelStays] },
  keptObject({
    id: 'assistant-delete',
    at: `DELETE ${PATH}`,
    operationId: 'deleteAssistant',
    summary: 'Delete an assistant.',
    answered: deleted('assistant.deleted'),
    deprecated: RETIRED,
  }),
]
