import { page } from './page.ts'
import { given, type KeptRoute, optionsOf, required } from './route.ts'

const FIELDS = [
  'name',
  'description',
  'model',
  'instructions',
  'tools',
  'tool_resources',
  'metadata',
  'temperature',
  'top_p',
  'response_format',
] as const

/** Fields as `Assistant` of openai-node 7.55.0 has them (resources/beta/assistants.d.ts), read 2026-11-24. */
const NEW = {
  name: null,
  description: null,
  instructions: null,
  tools: [],
  tool_resources: {},
  metadata: {},
  temperature: 1,
  top_p: 1,
  response_format: 'auto',
}

const ONE = '/assistants/:assistant'

export const assistantRoutes: readonly KeptRoute[] = [
  ['GET /assistants', ({ objects, query }) => page(objects.list('assistants'), query)],
  [
    'POST /assistants',
    ({ objects, body }) => {
      optionsOf(required(body, 'model'), {})
      return objects.make('assistants', { ...NEW, ...given(body, FIELDS) })
    },
  ],
  [`GET ${ONE}`, ({ objects, ids }) => objects.find('assistants', ids.assistant ?? '')],
  [
    `POST ${ONE}`,
    ({ objects, ids, body }) =>
      objects.change('assistants', objects.find('assistants', ids.assistant ?? ''), given(body, FIELDS)),
  ],
  [
    `DELETE ${ONE}`,
    ({ objects, ids }) => objects.remove('assistants', objects.find('assistants', ids.assistant ?? '')),
  ],
]
