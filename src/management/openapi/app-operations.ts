import { MCP_LOGIN_PATHS } from '../../mcp/place.ts'
import { APP_PATHS, RESOURCE_METADATA, SERVER_METADATA } from '../apps/paths.ts'
import { managementError } from './components.ts'
import { asked, onwards, refusals, tooMany } from './sign-in-operations.ts'
import type { JsonSchema, Operation, PlacedOperation } from './types.ts'

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
const form = (schema: JsonSchema) => ({ 'application/x-www-form-urlencoded': { schema } })
const text: JsonSchema = { type: 'string' }
const refused = { $ref: '#/components/responses/OAuthRefused' }
const page = (description: string) => ({ description, content: { 'text/html': { schema: text } } })
const PATH = { name: 'path', in: 'path', required: true, schema: text } as const

/** Texts by name, all of which must be there. */
const fields = (...names: readonly string[]): JsonSchema => ({
  type: 'object',
  required: [...names],
  properties: Object.fromEntries(names.map((name) => [name, text])),
})

const operation = (
  method: PlacedOperation['method'],
  [path = '', ...aliases]: readonly string[],
  described: Omit<Operation, 'tags' | 'security'>,
): PlacedOperation => ({
  ...{ method, path },
  operation: {
    ...described,
    ...{ tags: ['Apps'], security: [] },
    ...(aliases.length === 0 ? {} : { 'x-weir-aliases': aliases }),
  },
})

/** What clients of OAuth read about this gateway. */
const metadataOperations = (basePath: string): readonly PlacedOperation[] => {
  const at = (path: string): readonly string[] => (basePath === '' ? [path] : [path, `${basePath}${path}`])
  const about = {
    200: { description: 'The description.', content: json({ type: 'object' }) },
    404: managementError(404),
  }
  return [
    operation('get', at(SERVER_METADATA), {
      operationId: 'getAuthorizationServer',
      summary: 'Where apps ask people (RFC 8414).',
      responses: about,
    }),
    operation('get', at(`${SERVER_METADATA}/{path}`), {
      operationId: 'getAuthorizationServerBehindPrefix',
      summary: 'The same, of an issuer with a path.',
      parameters: [PATH],
      responses: about,
    }),
    operation('get', at(`${RESOURCE_METADATA}/{path}`), {
      operationId: 'getProtectedResource',
      summary: 'Which authorization server gives tokens for an MCP server (RFC 9728).',
      parameters: [{ ...PATH, description: 'Of the MCP server, with the prefix.' }],
      responses: about,
    }),
  ]
}

/** The ways by which apps are let in by people, and people by the servers behind. */
export const appOperations = (basePath: string): readonly PlacedOperation[] => [
  ...metadataOperations(basePath),
  operation('get', [`${basePath}${APP_PATHS.authorize}`], {
    operationId: 'askPerson',
    summary: 'Where an app sends a person: a page that asks whether it may act for them (OAuth 2.1).',
    parameters: ['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method']
      .concat('resource', 'scope', 'state')
      .map((name) => asked(name, 'Of the app.')),
    responses: { 200: page('The page.'), 303: onwards, ...refusals },
  }),
  operation('post', [`${basePath}${APP_PATHS.authorize}`], {
    operationId: 'answerApp',
    summary: 'The answer of the person, which the app is told.',
    requestBody: { required: true, content: form(fields('asked', 'csrf_token', 'workspace', 'answer')) },
    responses: { 303: onwards, ...refusals },
  }),
  operation('post', [`${basePath}${APP_PATHS.register}`], {
    operationId: 'registerApp',
    summary: 'An app says who it is (RFC 7591).',
    requestBody: {
      required: true,
      content: json({
        type: 'object',
        required: ['redirect_uris'],
        properties: { redirect_uris: { type: 'array', items: text }, client_name: text, client_uri: text },
      }),
    },
    responses: {
      201: { description: 'What is known of it, with its `client_id`.', content: json({ type: 'object' }) },
      400: refused,
      429: tooMany,
    },
  }),
  operation('post', [`${basePath}${APP_PATHS.revoke}`], {
    operationId: 'revokeToken',
    summary: 'An app gives its tokens back (RFC 7009).',
    requestBody: { required: true, content: form(fields('token')) },
    responses: { 200: { description: 'They are good no more.' }, 400: refused },
  }),
  operation('get', [`${basePath}${MCP_LOGIN_PATHS.start}`], {
    operationId: 'startMcpLogin',
    summary: 'Sends a user on to agree at the server behind an MCP server.',
    parameters: [asked('ticket', 'Of the address that a call was answered with.')],
    responses: { 200: page('Asks whether they are meant, where nobody signs in.'), 303: onwards, ...refusals },
  }),
  operation('get', [`${basePath}${MCP_LOGIN_PATHS.callback}`], {
    operationId: 'finishMcpLogin',
    summary: 'Where the server behind sends the browser back to.',
    parameters: ['code', 'state', 'iss', 'error'].map((name) => asked(name, 'Of the server.')),
    responses: { 200: page('The user may go back to their app.'), ...refusals },
  }),
]
