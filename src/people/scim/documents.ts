import type { SchemaDefinition } from './schemas/attribute.ts'
import { DISCOVERY_SCHEMAS } from './schemas/discovery.ts'
import { GROUP_SCHEMA } from './schemas/group.ts'
import { USER_SCHEMA } from './schemas/user.ts'

/** Most resources of one answer; fewer unless a client asks for them. */
export const MAX_RESULTS = 200
export const DEFAULT_RESULTS = 100

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'
export const LIST_RESPONSE = `${MESSAGES}:ListResponse`
export const PATCH_OP = `${MESSAGES}:PatchOp`
export const SEARCH_REQUEST = `${MESSAGES}:SearchRequest`
export const ERROR = `${MESSAGES}:Error`

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

/** A part of an answer as JSON has it. */
export type Fields = Readonly<Record<string, unknown>>

const metaOf = (resourceType: string, location: string): Fields => ({ resourceType, location })

/** What this service offers (RFC 7643, section 5). @param base address of `/scim/v2` */
export const serviceProviderConfig = (base: string): Fields => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Key of the organisation',
      description: 'A key of the organisation that has the scopes organisation_users.*, as a bearer token',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: metaOf('ServiceProviderConfig', `${base}/ServiceProviderConfig`),
})

const RESOURCE_TYPES = [
  { schema: USER_SCHEMA, endpoint: '/Users' },
  { schema: GROUP_SCHEMA, endpoint: '/Groups' },
] as const

/** The kinds of resources there are (RFC 7643, section 6). */
export const resourceTypes = (base: string): readonly Fields[] =>
  RESOURCE_TYPES.map(({ schema: { id, name, description }, endpoint }) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    description,
    endpoint,
    schema: id,
    schemaExtensions: [],
    meta: metaOf('ResourceType', `${base}/ResourceTypes/${name}`),
  }))

/** The attributes of all of them (RFC 7643, section 7). */
export const schemaDocuments = (base: string): readonly Fields[] =>
  [USER_SCHEMA, GROUP_SCHEMA, ...DISCOVERY_SCHEMAS].map((schema: SchemaDefinition) => ({
    schemas: [`${CORE}:Schema`],
    ...schema,
    meta: metaOf('Schema', `${base}/Schemas/${schema.id}`),
  }))

/** An answer to a query (RFC 7644, section 3.4.2). */
export const listResponse = (resources: readonly Fields[], totalResults: number, startIndex: number): Fields => ({
  schemas: [LIST_RESPONSE],
  totalResults,
  itemsPerPage: resources.length,
  startIndex,
  Resources: resources,
})
