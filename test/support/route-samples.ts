import { keptAt } from './kept-samples.ts'
import type { RouteSample } from './route-sample.ts'

export type { RouteSample }

export interface SampledRoute {
  readonly method: string
  /** Without the operator's prefix. */
  readonly path: string
}

export const PROVIDER_HEADERS = { 'x-gateway-provider': 'mock' } as const

const CHAT = { model: 'mock', messages: [{ role: 'user', content: 'Hello' }] }
const COMPLETION = { model: 'mock', prompt: 'Hello' }
const RERANK = { model: 'mock-rerank', query: 'a word', documents: ['a sentence', { text: 'a word' }] }
const OCR = { model: 'mock-ocr', document: { type: 'document_url', document_url: 'data:text/plain,A%20page' } }
const MESSAGE = { ...CHAT, max_tokens: 10 }
const RESPONSE = { model: 'mock', input: 'Hello' }
const EMBEDDING = { model: 'mock-embedding', input: 'Hello' }

/** Versions of Google's Live API, and their endpoints. */
const LIVE = [
  ['v1beta', 'live'],
  ['v1alpha', 'live-v1alpha'],
] as const

/** Of `sample-prompts.ts`. */
export const PROMPT = 'pp-sample-1a2b3c'

const post = (
  path: string,
  endpoint: string,
  body: Readonly<Record<string, unknown>>,
  more: Partial<RouteSample> = {},
): RouteSample => ({ method: 'POST', path, endpoint, body: JSON.stringify(body), status: 200, ...more })

const get = (path: string, endpoint: string, status = 200): RouteSample => ({ method: 'GET', path, endpoint, status })

/** `{config, params}`, with the config in each form that it had. */
const legacy = (path: string, endpoint: string, params: Readonly<Record<string, unknown>>): readonly RouteSample[] => [
  post(path, endpoint, { config: { provider: 'mock' }, params }, { bringsConfig: true }),
  post(path, endpoint, { config: { mode: 'single', options: [{ provider: 'mock' }] }, params }, { bringsConfig: true }),
  post(path, endpoint, { params }),
]

/** One of Weir's own, so that no provider is asked; it is not kept. */
const aboutResponse = (
  root: string,
  method: RouteSample['method'],
  rest: string,
  endpoint: string,
): Readonly<Record<string, readonly RouteSample[]>> => ({
  [`${method} ${root}/responses/:response_id${rest}`]: [
    { method, path: `${root}/responses/resp_weir_0123456789abcdef${rest}`, endpoint, status: 404, reachesNobody: true },
  ],
})

/** Of a form with one file. */
const form = (path: string, endpoint: string, file: string, fields: Readonly<Record<string, string>>): RouteSample => {
  const parts = [
    ...Object.entries(fields).map(([name, value]) => `form-data; name="${name}"\r\n\r\n${value}`),
    `form-data; name="${file}"; filename="a"\r\n\r\nRIFF`,
  ]
  const text = `${parts.map((part) => `--sample\r\nContent-Disposition: ${part}\r\n`).join('')}--sample--\r\n`
  const body = new Blob([text], { type: 'multipart/form-data; boundary=sample' })
  return { method: 'POST', path, endpoint, body, status: 200 }
}

/** One of Weir's own, so that no provider is asked; it is not kept. */
const aboutFile = (
  root: string,
  method: RouteSample['method'],
  rest: string,
  endpoint: string,
): Readonly<Record<string, readonly RouteSample[]>> => ({
  [`${method} ${root}/files/:file_id${rest}`]: [
    {
      ...{ method, path: `${root}/files/file-weir-0123456789abcdef0123456789abcdef${rest}`, endpoint },
      ...{ status: 404, reachesNobody: true },
    },
  ],
})

/** The mock keeps no files. */
const filesAt = (root: string): Readonly<Record<string, readonly RouteSample[]>> => ({
  [`POST ${root}/files`]: [
    { ...form(`${root}/files`, 'file-create', 'file', { purpose: 'batch' }), reachesNobody: true },
  ],
  [`GET ${root}/files`]: [{ ...get(`${root}/files`, 'file-list'), reachesNobody: true }],
  ...aboutFile(root, 'GET', '', 'file-info'),
  ...aboutFile(root, 'DELETE', '', 'file-delete'),
  ...aboutFile(root, 'GET', '/content', 'file-content'),
})

const NOT_KEPT = 'batch_weir_0123456789abcdef0123456789abcdef'
const NO_FILE = 'file-weir-0123456789abcdef0123456789abcdef'

/** The mock has no batches, so that Weir answers. */
const batchesAt = (root: string): Readonly<Record<string, readonly RouteSample[]>> => {
  const about = (method: RouteSample['method'], rest: string, endpoint: string) => ({
    [`${method} ${root}/batches/:batch_id${rest}`]: [
      { method, path: `${root}/batches/${NOT_KEPT}${rest}`, endpoint, status: 404, reachesNobody: true as const },
    ],
  })
  const NEW = { input_file_id: NO_FILE, endpoint: '/v1/chat/completions', completion_window: '24h' }
  return {
    [`POST ${root}/batches`]: [post(`${root}/batches`, 'batch-create', NEW, { status: 404, reachesNobody: true })],
    [`GET ${root}/batches`]: [{ ...get(`${root}/batches`, 'batch-list'), reachesNobody: true }],
    ...about('GET', '', 'batch-info'),
    ...about('POST', '/cancel', 'batch-cancel'),
    ...about('GET', '/output', 'batch-output'),
  }
}

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** Addresses of MCP servers, with what they answer where that is not 404. */
const MCP_PLACES: readonly (readonly [route: string, path: string, statuses?: readonly [number, number, number]])[] = [
  // Of all servers together: of none.
  ['/mcp', '/mcp', [200, 405, 405]],
  ['/v1/mcp', '/v1/mcp', [200, 405, 405]],
  ['/:workspace/mcp', '/ws-none/mcp'],
  ['/v1/:workspace/mcp', '/v1/ws-none/mcp'],
  ['/mcp/:name/mcp', '/mcp/none/mcp'],
  ['/v1/mcp/:name/mcp', '/v1/mcp/none/mcp'],
  ['/:workspace/mcp/:name/mcp', '/ws-none/mcp/none/mcp'],
  ['/v1/:workspace/mcp/:name/mcp', '/v1/ws-none/mcp/none/mcp'],
  ['/m/:name/mcp', '/m/none/mcp'],
  ['/m/:name/:server/mcp', '/m/ws-none/none/mcp'],
]

/** The workspace of the samples has no MCP server. */
const MCP: Readonly<Record<string, readonly RouteSample[]>> = Object.fromEntries(
  MCP_PLACES.flatMap(([route, path, [posted, listened, ended] = [404, 404, 404]]) =>
    (
      [
        ['POST', 'mcp-messages', posted, PING],
        ['GET', 'mcp-listen', listened, undefined],
        ['DELETE', 'mcp-end', ended, undefined],
      ] as const
    ).map(([method, endpoint, status, body]) => [
      `${method} ${route}`,
      [{ method, path, endpoint, status, reachesNobody: true as const, ...(body === undefined ? {} : { body }) }],
    ]),
  ),
)

const SPEECH = { model: 'mock-speech', input: 'Hello', voice: 'alloy' }

const mediaAt = (root: string): Readonly<Record<string, readonly RouteSample[]>> => ({
  [`POST ${root}/images/generations`]: [
    post(`${root}/images/generations`, 'images', { prompt: 'A cat' }),
    post(`${root}/images/generations`, 'images', { model: 'mock-image', prompt: 'A cat', stream: true }),
  ],
  [`POST ${root}/images/edits`]: [form(`${root}/images/edits`, 'image-edits', 'image', { prompt: 'A hat' })],
  [`POST ${root}/images/variations`]: [
    form(`${root}/images/variations`, 'image-variations', 'image', { model: 'mock-image' }),
  ],
  [`POST ${root}/audio/speech`]: [
    post(`${root}/audio/speech`, 'speech', SPEECH),
    post(`${root}/audio/speech`, 'speech', { ...SPEECH, stream_format: 'sse' }),
  ],
  [`POST ${root}/audio/transcriptions`]: [
    form(`${root}/audio/transcriptions`, 'transcriptions', 'file', { model: 'mock-transcribe' }),
    form(`${root}/audio/transcriptions`, 'transcriptions', 'file', { model: 'mock-transcribe', stream: 'true' }),
  ],
  [`POST ${root}/audio/translations`]: [
    form(`${root}/audio/translations`, 'translations', 'file', { model: 'mock-transcribe', response_format: 'text' }),
  ],
})

const atRoot = (root: string): Readonly<Record<string, readonly RouteSample[]>> => ({
  [`POST ${root}/chat/completions`]: [
    post(`${root}/chat/completions`, 'chat', CHAT),
    post(`${root}/chat/completions`, 'chat', { ...CHAT, stream: true }),
  ],
  [`POST ${root}/completions`]: [post(`${root}/completions`, 'completions', COMPLETION)],
  [`POST ${root}/embeddings`]: [post(`${root}/embeddings`, 'embeddings', EMBEDDING)],
  [`POST ${root}/responses`]: [
    post(`${root}/responses`, 'responses', RESPONSE),
    post(`${root}/responses`, 'responses', { ...RESPONSE, stream: true }),
  ],
  ...aboutResponse(root, 'GET', '', 'response'),
  ...aboutResponse(root, 'DELETE', '', 'response-delete'),
  ...aboutResponse(root, 'POST', '/cancel', 'response-cancel'),
  ...aboutResponse(root, 'GET', '/input_items', 'response-input-items'),
  [`GET ${root}/models`]: [get(`${root}/models`, 'models')],
  [`POST ${root}/moderations`]: [
    post(`${root}/moderations`, 'moderations', { input: 'Hello' }),
    post(`${root}/moderations`, 'moderations', { model: 'mock-moderation', input: ['Hello'] }),
  ],
  [`POST ${root}/rerank`]: [post(`${root}/rerank`, 'rerank', RERANK)],
  [`POST ${root}/ocr`]: [post(`${root}/ocr`, 'ocr', OCR)],
  ...mediaAt(root),
  ...keptAt(root),
  ...filesAt(root),
  ...batchesAt(root),
})

/** Clients of Anthropic add a version of their own to their base address. */
const messagesAt = (root: string): Readonly<Record<string, readonly RouteSample[]>> => ({
  [`POST ${root}/messages`]: [
    post(`${root}/messages`, 'messages', MESSAGE),
    post(`${root}/messages?beta=true`, 'messages', { ...MESSAGE, stream: true }),
  ],
  [`POST ${root}/messages/count_tokens`]: [
    post(`${root}/messages/count_tokens`, 'messages-count-tokens', CHAT, { reachesNobody: true }),
  ],
})

const ofVersion = (version: string): Readonly<Record<string, readonly RouteSample[]>> => ({
  ...atRoot(version),
  [`POST ${version}/prompts/:promptId/completions`]: [
    post(`${version}/prompts/${PROMPT}/completions`, 'chat', { variables: {}, model: 'mock' }),
    post(`${version}/prompts/${PROMPT}/completions`, 'chat', {
      variables: { name: 'you' },
      model: 'mock',
      stream: true,
    }),
  ],
  [`POST ${version}/prompts/:promptId/render`]: [
    post(`${version}/prompts/${PROMPT}/render`, 'render', { variables: {} }, { reachesNobody: true }),
  ],
})

const PROXY_MODE = { 'x-gateway-mode': 'proxy mock' }

const CONTENTS = { contents: [{ parts: [{ text: 'Hello' }] }] }
const EMBED = { content: { parts: [{ text: 'Hello' }] } }

/** Where clients of Gemini ask. */
const geminiAt = (root: string): readonly RouteSample[] => [
  post(`${root}/models/mock:generateContent`, 'gemini', CONTENTS),
  post(`${root}/models/mock:streamGenerateContent?alt=sse`, 'gemini', CONTENTS),
  post(`${root}/models/mock:streamGenerateContent`, 'gemini', CONTENTS),
  post(`${root}/models/mock-embedding:embedContent`, 'gemini-embed', EMBED),
  post(`${root}/models/mock-embedding:batchEmbedContents`, 'gemini-batch-embed', { requests: [EMBED] }),
  post(`${root}/models/mock:predict`, 'proxy', {}, { status: 404 }),
]

const modelsAt = (root: string): Readonly<Record<string, readonly RouteSample[]>> => ({
  [`GET ${root}/models/*`]: [get(`${root}/models/mock`, 'one-model')],
  [`DELETE ${root}/models/*`]: [
    { method: 'DELETE', path: `${root}/models/ft:mock:me::1`, status: 200, endpoint: 'model-delete' },
  ],
})

const geminiModelsAt = (root: string): Readonly<Record<string, readonly RouteSample[]>> => ({
  [`GET ${root}/models`]: [get(`${root}/models`, 'gemini-models')],
  [`GET ${root}/models/*`]: [get(`${root}/models/mock`, 'gemini-model')],
})

/** By `METHOD path` of the route. */
const SAMPLES: Readonly<Record<string, readonly RouteSample[]>> = {
  ...ofVersion('/v1'),
  ...ofVersion('/v2'),
  ...atRoot('/openai/v1'),
  ...atRoot(''),
  ...Object.assign({}, ...['/v1', '/v1/v1', '/v2', '/v2/v1', '/openai/v1', ''].map(messagesAt)),
  'GET /openai/models': [get('/openai/models?api-version=2024-10-21', 'models')],
  'POST /openai/deployments/*': [
    post('/openai/deployments/mock/chat/completions?api-version=2024-10-21', 'chat', { ...CHAT, model: 'other' }),
    post('/openai/deployments/mock/chat/completions', 'chat', { ...CHAT, stream: true }),
    post('/openai/deployments/mock/completions', 'completions', { prompt: 'Hello' }),
    post('/openai/deployments/mock-embedding/embeddings', 'embeddings', EMBEDDING),
  ],
  // The mock has nothing at its base URL itself.
  'ALL /v1/gateway': [get('/v1/gateway', 'proxy', 404), post('/v1/gateway', 'proxy', CHAT, { status: 404 })],
  'ALL /v1/gateway/*': [
    post('/v1/gateway/chat/completions', 'proxy', CHAT),
    post('/v1/gateway/chat/completions', 'proxy', { ...CHAT, stream: true }),
    get('/v1/gateway/models', 'proxy'),
    { method: 'DELETE', path: '/v1/gateway/files/1', status: 404, endpoint: 'proxy' },
  ],
  'ALL /v1/*': [
    post('/v1/v1/embeddings', 'proxy', EMBEDDING),
    get('/v1/things', 'proxy', 404),
    { method: 'PUT', path: '/v1/things/1', body: 'text', status: 404, endpoint: 'proxy' },
  ],
  'ALL /openai/v1/*': [
    post('/openai/v1/gateway-is-theirs', 'proxy', CHAT, { status: 404 }),
    get('/openai/v1/things', 'proxy', 404),
  ],
  ...modelsAt('/v1'),
  ...modelsAt('/openai/v1'),
  ...modelsAt(''),
  ...geminiModelsAt('/v1beta'),
  ...geminiModelsAt('/v1/v1beta'),
  'POST /v1beta/models/*': geminiAt('/v1beta'),
  'POST /v1/models/*': geminiAt('/v1'),
  'POST /v1/v1beta/models/*': geminiAt('/v1/v1beta'),
  'ALL /v1beta/*': [get('/v1beta/files', 'proxy', 404), post('/v1beta/chat/completions', 'proxy', CHAT)],
  ...Object.fromEntries(
    ['/v1', '/v2', '/openai/v1', ''].map((root) => [
      `GET ${root}/realtime`,
      // Without an upgrade; over WebSockets: test/e2e/realtime.
      [{ ...get(`${root}/realtime?model=mock-realtime`, 'realtime', 400), reachesNobody: true as const }],
    ]),
  ),
  ...Object.fromEntries(
    LIVE.map(([version, endpoint]) => {
      const path = `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
      return [`GET ${path}`, [{ ...get(path, endpoint, 400), reachesNobody: true as const }]]
    }),
  ),
  ...Object.fromEntries(
    ['/v1', '/openai/v1'].flatMap((root) => [
      [
        `POST ${root}/realtime/client_secrets`,
        [post(`${root}/realtime/client_secrets`, 'proxy', { session: { type: 'realtime', model: 'mock-realtime' } })],
      ],
      [
        `POST ${root}/realtime/calls`,
        [
          {
            ...post(`${root}/realtime/calls?model=mock-realtime`, 'proxy', {}, { status: 201 }),
            body: new Blob(['v=0'], { type: 'application/sdp' }),
          },
        ],
      ],
    ]),
  ),
  ...MCP,
  'ALL /v1/proxy/*': [
    post('/v1/proxy/chat/completions', 'proxy', CHAT, { headers: PROXY_MODE }),
    { ...get('/v1/proxy/v1/models', 'proxy'), headers: PROXY_MODE },
    get('/v1/proxy/files', 'proxy', 404),
  ],
  'POST /v1/prompts/:promptId/generate': [post(`/v1/prompts/${PROMPT}/generate`, 'chat', { variables: {} })],
  'POST /v1/complete': legacy('/v1/complete', 'completions', { ...COMPLETION, max_tokens: 5 }),
  'POST /v1/chatComplete': [
    ...legacy('/v1/chatComplete', 'chat', CHAT),
    // In the provider's own format.
    post('/v1/chatComplete', 'proxy', CHAT),
  ],
  'POST /v1/embed': [...legacy('/v1/embed', 'embeddings', EMBEDDING), post('/v1/embed', 'proxy', EMBEDDING)],
}

/**
 * Requests for a route that the mock answers.
 * @throws Error for a route without any: one that is new needs its row here, and then every walk covers it
 */
export const samplesOf = ({ method, path }: SampledRoute): readonly [RouteSample, ...RouteSample[]] => {
  const [first, ...others] = SAMPLES[`${method} ${path}`] ?? []
  if (first === undefined) throw new Error(`the route ${method} ${path} has no sample in test/support/route-samples.ts`)
  return [first, ...others]
}

/** Headers of a sample that name its provider, unless its body does, or it names it in its own way. */
export const providerHeaders = ({ bringsConfig, headers }: RouteSample): Readonly<Record<string, string>> =>
  bringsConfig ? {} : (headers ?? PROVIDER_HEADERS)

/** Names of routes that have samples. */
export const SAMPLED_ROUTES: readonly string[] = Object.keys(SAMPLES)
