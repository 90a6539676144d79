import type { Endpoint } from '../../core/endpoint.ts'
import { placesOf } from '../../http/route-table.ts'
import { oauthTokenPaths } from '../tokens/oauth-handler.ts'
import { callOperations } from './call-operations.ts'
import { DOCS_PATH, OPENAPI_PATH } from './paths.ts'
import type { JsonSchema, Operation, PlacedOperation } from './types.ts'

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
const text: JsonSchema = { type: 'string' }
const list = (item: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['object', 'data'],
  properties: { object: { const: 'list' }, data: { type: 'array', items: item } },
})

const status = (description: string): Operation['responses'][string] => ({
  description,
  content: json({ type: 'object' }),
})

/** A call that goes to a provider: what Weir does not name here it passes on. */
const inference = (
  basePath: string,
  endpoint: Endpoint,
  method: 'get' | 'post',
  operation: Pick<Operation, 'operationId' | 'summary' | 'requestBody'> & { readonly answer: JsonSchema },
): PlacedOperation => {
  const { answer, ...rest } = operation
  const [place = '', ...aliases] = placesOf(endpoint).map((each) => `${basePath}${each}`)
  return {
    method,
    path: place,
    operation: {
      ...rest,
      tags: ['Inference'],
      'x-weir-aliases': aliases,
      responses: {
        200: { description: 'The answer of the provider, in the form of the OpenAI interface.', content: json(answer) },
        '4XX': { $ref: '#/components/responses/CallFailed' },
        '5XX': { $ref: '#/components/responses/CallFailed' },
      },
    },
  }
}

const inferenceOperations = (basePath: string): readonly PlacedOperation[] => [
  inference(basePath, 'chat', 'post', {
    operationId: 'createChatCompletion',
    summary: 'Ask a model; with `stream: true` the answer is a stream of server-sent events.',
    requestBody: {
      required: true,
      content: json({
        type: 'object',
        required: ['model', 'messages'],
        properties: {
          model: { ...text, description: 'Name of a model, or `@provider-slug/model`.' },
          messages: { type: 'array', minItems: 1, items: { type: 'object' } },
          stream: { type: 'boolean', default: false },
        },
      }),
    },
    answer: { type: 'object', properties: { id: text, object: text, choices: { type: 'array' } } },
  }),
  inference(basePath, 'completions', 'post', {
    operationId: 'createCompletion',
    summary: 'Have a text gone on from; with `stream: true` the answer is a stream of server-sent events.',
    requestBody: {
      required: true,
      content: json({
        type: 'object',
        required: ['model', 'prompt'],
        properties: {
          model: { ...text, description: 'Name of a model, or `@provider-slug/model`.' },
          prompt: {
            anyOf: [text, { type: 'array', minItems: 1 }],
            description: 'Text or tokens, one or several. For a provider that only has chat: one text.',
          },
          stream: { type: 'boolean', default: false },
        },
      }),
    },
    answer: {
      type: 'object',
      properties: { id: text, object: { const: 'text_completion' }, choices: { type: 'array' } },
    },
  }),
  inference(basePath, 'embeddings', 'post', {
    operationId: 'createEmbedding',
    summary: 'Turn text into vectors.',
    requestBody: {
      required: true,
      content: json({
        type: 'object',
        required: ['model', 'input'],
        properties: { model: text, input: { anyOf: [text, { type: 'array' }] } },
      }),
    },
    answer: list({ type: 'object' }),
  }),
  inference(basePath, 'models', 'get', {
    operationId: 'listModels',
    summary: 'List the models that the caller can use.',
    answer: list({ type: 'object', properties: { id: text, object: { const: 'model' }, owned_by: text } }),
  }),
]

const tokenRequest: JsonSchema = {
  type: 'object',
  required: ['grant_type', 'client_id', 'client_secret'],
  properties: {
    grant_type: { const: 'client_credentials' },
    client_id: { ...text, description: 'Id of an API key; may come in HTTP Basic instead.' },
    client_secret: { ...text, description: 'The key itself; may come in HTTP Basic instead.' },
    scope: { ...text, description: 'Scopes to narrow the token to, with spaces between them.' },
  },
}

const tokenOperation = ([path, ...aliases]: ReturnType<typeof oauthTokenPaths>): PlacedOperation => ({
  method: 'post',
  path,
  operation: {
    operationId: 'createAccessToken',
    summary: 'Exchange an API key for a token that lives 15 minutes.',
    tags: ['Tokens'],
    security: [],
    'x-weir-aliases': aliases,
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: tokenRequest }, ...json(tokenRequest) },
    },
    responses: {
      200: {
        description: 'The token.',
        content: json({
          type: 'object',
          required: ['access_token', 'token_type', 'expires_in', 'scope'],
          properties: {
            access_token: text,
            token_type: { const: 'Bearer' },
            expires_in: { type: 'integer', description: 'Seconds.' },
            scope: text,
          },
        }),
      },
      400: { $ref: '#/components/responses/OAuthRefused' },
      401: { $ref: '#/components/responses/OAuthRefused' },
      503: { $ref: '#/components/responses/OAuthRefused' },
    },
  },
})

const healthOperations = (basePath: string): readonly PlacedOperation[] => [
  {
    method: 'get',
    path: '/healthz',
    operation: {
      operationId: 'getHealth',
      summary: 'Whether the process is alive.',
      tags: ['Health'],
      'x-weir-aliases': ['/health', `${basePath}/v1/health`],
      security: [],
      responses: { 200: status('It is.') },
    },
  },
  {
    method: 'get',
    path: '/readyz',
    operation: {
      operationId: 'getReadiness',
      summary: 'Whether the process should get traffic, and the state of its stores.',
      tags: ['Health'],
      security: [],
      responses: { 200: status('It should.'), 503: status('It should not.') },
    },
  },
]

const documentationOperations = (basePath: string): readonly PlacedOperation[] => [
  {
    method: 'get',
    path: `${basePath}${OPENAPI_PATH}`,
    operation: {
      operationId: 'getOpenApiDocument',
      summary: 'This document.',
      tags: ['Documentation'],
      security: [],
      responses: { 200: { description: 'An OpenAPI 3.1 document.', content: json({ type: 'object' }) } },
    },
  },
  {
    method: 'get',
    path: `${basePath}${DOCS_PATH}`,
    operation: {
      operationId: 'getDocumentationPage',
      summary: 'This document as a page for people.',
      tags: ['Documentation'],
      security: [],
      responses: { 200: { description: 'The page.', content: { 'text/html': { schema: text } } } },
    },
  },
]

/** Everything that is not a management route. */
export const otherOperations = (basePath: string): readonly PlacedOperation[] => [
  ...inferenceOperations(basePath),
  ...callOperations(basePath),
  tokenOperation(oauthTokenPaths(basePath)),
  ...healthOperations(basePath),
  ...documentationOperations(basePath),
]
