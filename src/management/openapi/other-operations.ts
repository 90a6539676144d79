import type { Endpoint, EndpointBody } from '../../core/endpoint.ts'
import { routesOf } from '../../core/route.ts'
import { METRICS_PATH } from '../metrics.ts'
import { oauthTokenPaths } from '../tokens/oauth-handler.ts'
import { appOperations } from './app-operations.ts'
import { callOperations } from './call-operations.ts'
import { managementError } from './components.ts'
import { inBraces } from './management-operations.ts'
import { DOCS_PATH, OPENAPI_PATH } from './paths.ts'
import { signInOperations } from './sign-in-operations.ts'
import type { JsonSchema, Operation, PathItem, PlacedOperation } from './types.ts'

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
const text: JsonSchema = { type: 'string' }
const status = (description: string): Operation['responses'][string] => ({
  description,
  content: json({ type: 'object' }),
})

/** A form: its fields and its files. */
const formOf = ({ schema, files }: EndpointBody & { readonly kind: 'multipart' }) => {
  const fields = schema as { readonly required?: readonly string[]; readonly properties?: JsonSchema }
  const named = Object.entries(files)
  const properties = Object.fromEntries(
    named.map(([name, { max = 1, description }]): [string, JsonSchema] => {
      const file: JsonSchema = {
        type: 'string',
        format: 'binary',
        ...(description === undefined ? {} : { description }),
      }
      return [name, max === 1 ? file : { anyOf: [file, { type: 'array', items: file, maxItems: max }] }]
    }),
  )
  const required = [
    ...(fields.required ?? []),
    ...named.flatMap(([name, rule]) => (rule.required === true ? [name] : [])),
  ]
  return {
    'multipart/form-data': { schema: { ...fields, properties: { ...fields.properties, ...properties }, required } },
  }
}

/** A call that goes to a provider: what Weir does not name here it passes on. */
const endpointOperation = (endpoint: Endpoint, basePath: string): readonly PlacedOperation[] => {
  const { described, body, answer, deprecated } = endpoint
  const [first, ...others] = routesOf(endpoint)
  if (first === undefined || described === undefined) return []
  const inDocument = (path: string): string => inBraces(`${basePath}${path}`).replace(/\/\*$/, '/{path}')
  const names = [...inDocument(first.path).matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  return [
    {
      method: first.method.toLowerCase() as keyof PathItem,
      path: inDocument(first.path),
      operation: {
        ...described,
        tags: ['Inference'],
        ...(deprecated === undefined ? {} : { deprecated: true as const }),
        'x-weir-aliases': others.map(({ path }) => inDocument(path)),
        ...(names.length === 0
          ? {}
          : { parameters: names.map((name) => ({ name, in: 'path' as const, required: true, schema: text })) }),
        ...(body.kind === 'json' ? { requestBody: { required: true, content: json({ ...body.schema }) } } : {}),
        ...(body.kind === 'any' && body.schema !== undefined
          ? { requestBody: { required: 'required' in body.schema, content: json({ ...body.schema }) } }
          : {}),
        ...(body.kind === 'multipart' ? { requestBody: { required: true, content: formOf(body) } } : {}),
        responses: {
          200: {
            description: 'The answer of the provider, in the form of the OpenAI interface.',
            content: json('schema' in answer ? { ...answer.schema } : {}),
          },
          '4XX': { $ref: '#/components/responses/CallFailed' },
          '5XX': { $ref: '#/components/responses/CallFailed' },
        },
      },
    },
  ]
}

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
    summary: 'Exchange an API key, or the code or refresh token of an app, for a token that lives 15 minutes.',
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

/** Guarded as a management route, but below no root of theirs. */
const metricsOperation = (basePath: string): PlacedOperation => ({
  method: 'get',
  path: `${basePath}${METRICS_PATH}`,
  operation: {
    operationId: 'getMetrics',
    summary: 'Metrics of this process, in the text format of Prometheus.',
    description: 'Needs the scope `organisation_settings.read`.',
    tags: ['Metrics'],
    responses: {
      200: { description: 'The metrics.', content: { 'text/plain': { schema: text } } },
      401: managementError(401),
      403: managementError(403),
      500: managementError(500),
      503: managementError(503),
    },
  },
})

/** Everything that is not a management route. */
export const otherOperations = (endpoints: readonly Endpoint[], basePath: string): readonly PlacedOperation[] => [
  ...endpoints.flatMap((endpoint) => endpointOperation(endpoint, basePath)),
  ...callOperations(basePath),
  tokenOperation(oauthTokenPaths(basePath)),
  ...signInOperations(basePath),
  ...appOperations(basePath),
  ...healthOperations(basePath),
  metricsOperation(basePath),
  ...documentationOperations(basePath),
]
