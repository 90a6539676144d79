import { CATALOGUE, type ErrorCode } from '../../errors/catalogue.ts'
import type { JsonSchema, OpenApiDocument, Reference, ResponseObject } from './types.ts'

const nullableText: JsonSchema = { type: ['string', 'null'] }

const openAiError: JsonSchema = {
  type: 'object',
  required: ['message', 'type', 'param', 'code'],
  properties: { message: { type: 'string' }, type: nullableText, param: nullableText, code: nullableText },
}

const violations: JsonSchema = {
  type: 'array',
  description: 'Each rule that was broken, and where.',
  items: {
    type: 'object',
    required: ['path', 'message'],
    properties: { path: { type: 'string' }, message: { type: 'string' } },
  },
}

/** Names of the answers that management routes share, with the rows of the error catalogue that each stands for. */
const MANAGEMENT_ERRORS = {
  400: { name: 'Invalid', codes: ['management_invalid'] },
  401: { name: 'Unauthorized', codes: ['management_unauthorized'] },
  403: { name: 'Forbidden', codes: ['management_forbidden'] },
  404: { name: 'NotFound', codes: ['management_not_found', 'management_reference'] },
  409: { name: 'Conflict', codes: ['management_conflict'] },
  412: { name: 'PreconditionFailed', codes: ['precondition_failed'] },
  500: { name: 'Internal', codes: ['management_internal'] },
  503: { name: 'Unavailable', codes: ['management_unavailable'] },
  507: { name: 'StorageFull', codes: ['management_storage_full'] },
} as const satisfies Record<number, { name: string; codes: readonly ErrorCode[] }>

export type ManagementErrorStatus = keyof typeof MANAGEMENT_ERRORS

export const managementError = (status: ManagementErrorStatus): Reference => ({
  $ref: `#/components/responses/${MANAGEMENT_ERRORS[status].name}`,
})

const managementResponses = (): Readonly<Record<string, ResponseObject>> =>
  Object.fromEntries(
    Object.values(MANAGEMENT_ERRORS).map(({ name, codes }) => [
      name,
      {
        description: codes.map((code) => `${CATALOGUE[code].wireCode}: ${CATALOGUE[code].when}`).join(' '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ManagementError' } } },
      },
    ]),
  )

export const components = (): OpenApiDocument['components'] => ({
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key, an access token of `/oauth/token`, or a JWT of an issuer that the operator trusts.',
    },
    apiKeyHeader: {
      type: 'apiKey',
      in: 'header',
      name: 'x-gateway-api-key',
      description: 'The same, in a header of its own.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-weir_session',
      description:
        'The session of somebody who signed in. Each change needs its `csrf_token` in the header `x-gateway-csrf`; a member of several workspaces names one in `x-gateway-workspace`.',
    },
  },
  schemas: {
    ManagementError: {
      type: 'object',
      required: ['success', 'data', 'error'],
      properties: {
        success: { const: false },
        data: {
          type: 'object',
          required: ['message', 'errorCode'],
          properties: { message: { type: 'string' }, errorCode: nullableText },
        },
        error: openAiError,
        errors: violations,
      },
    },
    CallError: {
      type: 'object',
      description: 'Errors of a login or of validation also have `status` and `message` at the top.',
      required: ['error'],
      properties: {
        error: openAiError,
        status: { const: 'failure' },
        message: { type: 'string' },
        provider: { type: 'string', description: 'Id of the provider, when a provider said it.' },
        errors: violations,
      },
    },
    OAuthError: {
      type: 'object',
      required: ['error', 'error_description'],
      properties: { error: { type: 'string' }, error_description: { type: 'string' } },
    },
  },
  responses: {
    ...managementResponses(),
    CallFailed: {
      description: 'The call failed; `error.code` and `error.type` say why.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CallError' } } },
    },
    OAuthRefused: {
      description: 'No token, in the form of RFC 6749, section 5.2.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
    },
  },
})
