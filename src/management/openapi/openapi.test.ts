import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { builtInEndpoints } from '../../../plugins/built-in.ts'
import { routesOf } from '../../core/route.ts'
import { auditLogsRoutes } from '../audit-logs/routes.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { createFakeBudgets } from '../test-support/fake-budgets.ts'
import { workspacesRoutes } from '../workspaces/routes.ts'
import { openapiDocument } from './document.ts'
import { toJsonSchema } from './json-schema.ts'
import { documentPage } from './page.ts'
import { createDocumentation } from './serve.ts'
import type { OpenApiDocument, Operation } from './types.ts'

const routes = [
  ...workspacesRoutes({ ...createFakeBudgets(), randomId: () => 'id', now: () => 0 }),
  ...auditLogsRoutes(),
]
const options = { version: '1.2.3', basePath: '/llm', endpoints: builtInEndpoints }

const operationsOf = (document: OpenApiDocument): readonly (readonly [string, Operation])[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  )

/** Every `$ref` in a value. */
const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  )
}

const sample = (changes: Partial<AnyRoute>): AnyRoute => ({
  ...defineRoute({
    method: 'GET',
    path: '/things/:id',
    tag: 'Things',
    summary: 'Read a thing',
    scopes: ['configs.read'],
    plane: 'workspace',
    changes: false,
    response: t.Object({}),
    handle: async () => ({}),
  }),
  ...changes,
})

describe('the document', () => {
  const document = openapiDocument(routes, options)
  const operations = operationsOf(document)

  test('holds every route once, under the root of its plane, and lists its other paths', () => {
    const management = operations.filter(([, operation]) => operation['x-weir-scopes'] !== undefined)
    expect(management.map(([place]) => place)).toEqual([
      'get /llm/admin/v2/workspaces',
      'post /llm/admin/v2/workspaces',
      'get /llm/admin/v2/workspaces/{workspace}',
      'put /llm/admin/v2/workspaces/{workspace}',
      'delete /llm/admin/v2/workspaces/{workspace}',
      'get /llm/admin/v2/audit-logs',
    ])
    expect(management[2]?.[1]['x-weir-aliases']).toEqual([
      '/llm/v1/workspaces/{workspace}',
      '/llm/v2/workspaces/{workspace}',
      '/llm/v1/admin/workspaces/{workspace}',
      '/llm/v2/admin/workspaces/{workspace}',
      '/llm/admin/v2/admin/workspaces/{workspace}',
    ])
    const onControlPlane = openapiDocument([sample({})], options).paths
    expect(Object.keys(onControlPlane)).toContain('/llm/v2/things/{id}')
  })

  const SIGN_IN = [
    'get /llm/sign-in',
    'get /llm/v2/sign-in/issuers',
    'get /llm/v2/sign-in/start',
    'get /llm/v2/sign-in/callback/{issuer}',
    'post /llm/v2/sign-in/key',
    'post /llm/v2/sign-in/out',
  ]

  const APPS = [
    'get /.well-known/oauth-authorization-server',
    'get /.well-known/oauth-authorization-server/{path}',
    'get /.well-known/oauth-protected-resource/{path}',
    'get /llm/oauth/authorize',
    'post /llm/oauth/authorize',
    'post /llm/oauth/register',
    'post /llm/oauth/revoke',
    'get /llm/oauth/mcp/start',
    'get /llm/oauth/mcp/callback',
  ]

  test('holds what is not management too', () => {
    const others = operations.filter(([, operation]) => operation['x-weir-scopes'] === undefined)
    const expected = [
      ...builtInEndpoints.flatMap((endpoint) => {
        const [first] = endpoint.described === undefined ? [] : routesOf(endpoint)
        return first === undefined ? [] : [`${first.method.toLowerCase()} /llm${inTemplate(first.path)}`]
      }),
      ...['completions', 'render', 'generate'].map((action) => `post /llm/v1/prompts/{promptId}/${action}`),
      ...['client_secrets', 'calls'].map((place) => `post /llm/v1/realtime/${place}`),
      ...['gateway', 'gateway/{path}', '{path}', 'proxy/{path}'].flatMap((path) =>
        ['get', 'post', 'put', 'patch', 'delete'].map((method) => `${method} /llm/v1/${path}`),
      ),
      ...['openai/v1', 'v1beta'].flatMap((root) =>
        ['get', 'post', 'put', 'patch', 'delete'].map((method) => `${method} /llm/${root}/{path}`),
      ),
      'post /llm/openai/deployments/{path}',
      ...['complete', 'chatComplete', 'embed'].map((path) => `post /llm/v1/${path}`),
      'post /llm/oauth/token',
      ...SIGN_IN,
      ...APPS,
      'get /healthz',
      'get /readyz',
      'get /llm/metrics',
      'get /llm/openapi.json',
      'get /llm/docs',
    ]
    // Methods of one path stand together.
    expect(others.map(([place]) => place).toSorted()).toEqual(expected.toSorted())
    const open = others.filter(([, { security }]) => security?.length === 0).map(([place]) => place)
    expect(open).toEqual([
      'post /llm/oauth/token',
      ...SIGN_IN,
      ...APPS,
      'get /healthz',
      'get /readyz',
      'get /llm/openapi.json',
      'get /llm/docs',
    ])
  })

  test('all that it points at is there', () => {
    const references = [...new Set(referencesIn(document))]
    expect(references).toContain('#/components/responses/Unavailable')
    for (const reference of references) {
      const target = reference
        .split('/')
        .slice(1)
        .reduce<unknown>(
          (node, name) => (typeof node === 'object' && node !== null ? Reflect.get(node, name) : undefined),
          document,
        )
      expect(target, reference).toBeDefined()
    }
  })

  test('every operation has a name of its own, its answers and its path parameters', () => {
    const names = operations.map(([, { operationId }]) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const [place, operation] of operations) {
      const inPath = [...place.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect(declared.map(({ name }) => name as string | undefined)).toEqual(inPath)
      const statuses = Object.keys(operation.responses)
      // What sends a browser on has a page elsewhere for its answer.
      const success = /sign-in\/(start|callback\/)|post .*\/authorize$/.test(place) ? '303' : '200'
      expect([place, statuses]).toEqual([
        place,
        expect.arrayContaining([place.endsWith('/register') ? '201' : success]),
      ])
      if (operation['x-weir-scopes'] === undefined) continue
      const expected = ['200', '400', '401', '403', '404', '500', '503']
      const ofChanges = ['409', '507']
      const ofTags = ['304', '412']
      const takes = (header: string) => operation.parameters?.some(({ name }) => name === header) === true
      expect(statuses.filter((status) => ![...ofChanges, ...ofTags].includes(status))).toEqual(expected)
      const known = takes('If-None-Match') ? ofTags : takes('If-Match') ? ['412'] : []
      expect([place, ...statuses.filter((status) => ofTags.includes(status))]).toEqual([place, ...known])
      expect(statuses.filter((status) => ofChanges.includes(status))).toEqual(place.startsWith('get ') ? [] : ofChanges)
    }
  })

  test('says where objects have tags, and which fields are outside of them', () => {
    const at = (place: string) => operations.find(([each]) => each === place)?.[1]
    const path = '/llm/admin/v2/workspaces'
    const [shown, changed] = [at(`get ${path}/{workspace}`), at(`put ${path}/{workspace}`)]
    const [listed, made] = [at(`get ${path}`), at(`post ${path}`)]
    const headers = (operation: typeof shown) =>
      operation?.parameters?.filter((parameter) => parameter.in === 'header').map(({ name }) => name) ?? []
    expect([shown, changed, listed, made].map(headers)).toEqual([['If-None-Match'], ['If-Match'], [], []])
    for (const operation of [shown, changed, made]) {
      expect(operation?.responses['200']).toMatchObject({ headers: { ETag: { schema: { type: 'string' } } } })
    }
    expect(listed?.responses['200']).not.toHaveProperty('headers')
    const { properties } = JSON.parse(JSON.stringify(shown?.responses['200'])).content['application/json'].schema
    const { current_usage: used, credit_limit: limit } = properties.usage_limits.items.properties
    expect([used, limit].map((field) => field['x-weir-outside-etag'])).toEqual([true, undefined])
  })

  test('says which parameters and bodies a route takes', () => {
    const [, list] = operations.find(([place]) => place === 'get /llm/admin/v2/audit-logs') ?? []
    expect(list?.parameters).toContainEqual({
      name: 'start_time',
      in: 'query',
      required: true,
      description: 'Not before this.',
      schema: expect.objectContaining({ type: 'string' }),
    })
    expect(list?.parameters?.find(({ name }) => name === 'page_size')).toEqual({
      name: 'page_size',
      in: 'query',
      required: false,
      description: 'Rows of a page.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    })
    const [, create] = operations.find(([place]) => place === 'post /llm/admin/v2/workspaces') ?? []
    expect(create?.requestBody?.required).toBe(true)
    expect(create?.requestBody?.content['application/json']?.schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['name'],
    })
  })

  test('paths that differ in the names of their parameters alone are one', () => {
    const { paths } = openapiDocument([sample({}), sample({ method: 'PUT', path: '/things/:slug' })], options)
    const item = paths['/llm/v2/things/{id}']
    expect(item?.put?.parameters).toEqual([{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }])
    expect(item?.get).toBeDefined()
  })

  test('two routes in one place are a fault', () => {
    expect(() => openapiDocument([sample({}), sample({ path: '/things/:slug' })], options)).toThrow('two routes')
    expect(() => openapiDocument([sample({}), sample({ path: '/things/by-id' })], options)).toThrow('getThingsById')
  })
})

test('schemas lose what JSON Schema does not know, and say what the check does', () => {
  const schema = t.Object({
    size: t.Union([t.Literal('small'), t.Literal('large'), t.Null()]),
    either: t.Union([t.String(), t.Object({ deep: t.Optional(t.Integer()) })]),
    open: t.Object({}, { additionalProperties: true }),
  })
  expect(toJsonSchema(schema)).toEqual({
    type: 'object',
    required: ['size', 'either', 'open'],
    additionalProperties: false,
    properties: {
      size: { enum: ['small', 'large', null] },
      either: {
        anyOf: [
          { type: 'string' },
          { type: 'object', additionalProperties: false, properties: { deep: { type: 'integer' } } },
        ],
      },
      open: { type: 'object', properties: {}, additionalProperties: true },
    },
  })
})

/** As a template of OpenAPI has it. */
const inTemplate = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')

describe('the page', () => {
  test('shows every operation, without a script or anything from elsewhere', () => {
    const document = openapiDocument(routes, options)
    const page = documentPage(document)
    for (const [, { operationId, summary }] of operationsOf(document)) {
      expect(page).toContain(`id="${operationId}"`)
      expect(page).toContain(summary.split(/[`']/)[0] ?? summary)
    }
    expect(page).not.toMatch(/<script|src=|href="http|@import|url\(/)
    expect(page).toContain('<code>start_time</code> in query <i>string</i> <b>required</b>')
  })

  test('text cannot become markup', () => {
    const document = openapiDocument([sample({ summary: '<img src=x> & "quotes"' })], options)
    expect(documentPage(document)).toContain('&lt;img src=x&gt; &amp; &quot;quotes&quot;')
  })
})

test('both are served with their types, and the page under a policy that allows its own style alone', async () => {
  const documentation = createDocumentation(routes, options)
  const document = documentation.document()
  expect(document.headers.get('content-type')).toBe('application/json')
  expect(await document.json()).toMatchObject({ openapi: '3.1.1', info: { version: '1.2.3' } })
  const page = documentation.page()
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const html = await page.text()
  const style = html.slice(html.indexOf('<style>') + '<style>'.length, html.indexOf('</style>'))
  const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64')
  expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${hash}';`)
})
