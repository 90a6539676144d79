import { KeySession, KeySignIn } from '../sign-in/key.ts'
import { SIGN_IN_PATHS } from '../sign-in/paths.ts'
import { managementError } from './components.ts'
import { toJsonSchema } from './json-schema.ts'
import { inBraces } from './management-operations.ts'
import type { JsonSchema, Operation, Parameter, PlacedOperation } from './types.ts'

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
const text: JsonSchema = { type: 'string' }

/** An address has tried too often. */
export const tooMany: Operation['responses'][string] = {
  description: 'Too many attempts from this address; `Retry-After` says when there is another.',
  content: json({ $ref: '#/components/schemas/ManagementError' }),
}
/** The browser is sent on. */
export const onwards: Operation['responses'][string] = { description: 'On to the `Location`.' }
/** Why a browser is sent nowhere. */
export const refusals: Operation['responses'] = {
  400: managementError(400),
  403: managementError(403),
  404: managementError(404),
  429: tooMany,
  503: managementError(503),
}

/** A parameter that a browser brings. */
export const asked = (name: string, description: string): Parameter => ({
  ...{ name, in: 'query', required: false, description, schema: text },
})
const RETURN_TO = asked('return_to', 'Where to go on to: a path of this gateway. Absent: `/v2/session`.')
const INVITE = asked('invite', 'The secret of the link of an invite.')

const operation = (
  basePath: string,
  method: PlacedOperation['method'],
  path: string,
  described: Omit<Operation, 'tags' | 'security'>,
): PlacedOperation => ({
  method,
  path: inBraces(`${basePath}${path}`),
  operation: { ...described, tags: ['Sign-in'], security: [] },
})

/** The ways in and out, which browsers take. */
export const signInOperations = (basePath: string): readonly PlacedOperation[] => [
  operation(basePath, 'get', SIGN_IN_PATHS.page, {
    operationId: 'getSignInPage',
    summary: 'A page to choose an issuer on; where there is one alone, on to it.',
    parameters: [RETURN_TO, INVITE],
    responses: {
      200: { description: 'The page.', content: { 'text/html': { schema: text } } },
      303: onwards,
      403: managementError(403),
    },
  }),
  operation(basePath, 'get', SIGN_IN_PATHS.issuers, {
    operationId: 'listSignInIssuers',
    summary: 'Issuers that people may sign in with.',
    responses: {
      200: {
        description: 'All of them.',
        content: json({
          type: 'object',
          required: ['object', 'total', 'data'],
          properties: {
            object: { const: 'list' },
            total: { type: 'integer' },
            data: {
              type: 'array',
              items: {
                type: 'object',
                required: ['object', 'id', 'name', 'start_path'],
                properties: {
                  object: { const: 'sign_in_issuer' },
                  id: text,
                  name: text,
                  start_path: { ...text, description: 'Where a browser goes to sign in with it.' },
                },
              },
            },
          },
        }),
      },
      403: managementError(403),
    },
  }),
  operation(basePath, 'get', SIGN_IN_PATHS.start, {
    operationId: 'startSignIn',
    summary: 'Send the browser to an issuer.',
    parameters: [asked('issuer', 'Its id; may be absent where there is one alone.'), RETURN_TO, INVITE],
    responses: { 303: onwards, ...refusals },
  }),
  operation(basePath, 'get', SIGN_IN_PATHS.callback, {
    operationId: 'finishSignIn',
    summary: 'Where an issuer sends the browser back to; sets the cookie of the session.',
    parameters: [
      { name: 'issuer', in: 'path', required: true, schema: text },
      ...['code', 'state', 'iss', 'error'].map((name) => asked(name, 'Of the issuer.')),
    ],
    responses: { 303: onwards, ...refusals },
  }),
  operation(basePath, 'post', SIGN_IN_PATHS.key, {
    operationId: 'signInByKey',
    summary: 'A session for whoever has an API key of the organisation; sets its cookie.',
    requestBody: { required: true, content: json(toJsonSchema(KeySignIn)) },
    responses: {
      200: { description: 'The session.', content: json(toJsonSchema(KeySession)) },
      400: managementError(400),
      401: managementError(401),
      403: managementError(403),
      429: tooMany,
      503: managementError(503),
    },
  }),
  operation(basePath, 'post', SIGN_IN_PATHS.out, {
    operationId: 'signOut',
    summary: 'End the session of the browser, and take its cookie away; needs its CSRF token, as each change does.',
    responses: { 200: { description: 'Done.', content: json({ type: 'object' }) }, 403: managementError(403) },
  }),
]
