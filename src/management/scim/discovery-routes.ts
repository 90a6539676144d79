import { readFields, requireSchema } from '../../people/scim/body.ts'
import {
  type Fields,
  listResponse,
  resourceTypes,
  SEARCH_REQUEST,
  schemaDocuments,
  serviceProviderConfig,
} from '../../people/scim/documents.ts'
import { listGroups } from '../../people/scim/groups/service.ts'
import { readQuery } from '../../people/scim/query.ts'
import { searchAll } from '../../people/scim/search.ts'
import { listUsers } from '../../people/scim/users/service.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { baseOf, oneOf, SCIM_PATH, scimAnswer } from './answer.ts'
import { ScimList, ScimResource, SearchBody } from './model.ts'
import { scimRoute } from './scim-route.ts'

/** What a directory reads before it knows anything, with any key that provisions. */
const discovery = {
  ...scimRoute,
  method: 'GET',
  scopes: ['organisation_users.list', 'organisation_users.read'],
  changes: false,
} as const

const documentRoutes = (
  name: string,
  what: string,
  documents: (base: string) => readonly Fields[],
): readonly AnyRoute[] => [
  defineRoute({
    ...discovery,
    path: `${SCIM_PATH}/${name}`,
    summary: `List every ${what}`,
    response: ScimList,
    async handle(call) {
      const all = documents(baseOf(call))
      return scimAnswer(listResponse(all, all.length, 1))
    },
  }),
  defineRoute({
    ...discovery,
    path: `${SCIM_PATH}/${name}/:id`,
    summary: `Show one ${what}`,
    response: ScimResource(`A ${what}, in the form of RFC 7643`),
    handle: async (call) => scimAnswer(oneOf(documents(baseOf(call)), call.params.id ?? '', what)),
  }),
]

/** What SCIM here can do, and what its resources have. */
export const scimDiscoveryRoutes: readonly AnyRoute[] = [
  defineRoute({
    ...discovery,
    path: `${SCIM_PATH}/ServiceProviderConfig`,
    summary: 'Show what SCIM here can do',
    response: ScimResource('RFC 7643, section 5'),
    handle: async (call) => scimAnswer(serviceProviderConfig(baseOf(call))),
  }),
  ...documentRoutes('ResourceTypes', 'resource type', resourceTypes),
  ...documentRoutes('Schemas', 'schema', schemaDocuments),
]

const listOf =
  (list: typeof listUsers): typeof searchAll =>
  async (db, organisationId, query, base) => {
    const { resources, total } = await list(db, organisationId, query, base)
    return listResponse(resources, total, query.page.offset + 1)
  }

/** Queries that stand in a body, for filters that are too long or too private for an address. */
export const scimSearchRoutes: readonly AnyRoute[] = (
  [
    ['', 'users and groups', searchAll],
    ['/Users', 'users', listOf(listUsers)],
    ['/Groups', 'groups', listOf(listGroups)],
  ] as const
).map(([place, what, search]) =>
  defineRoute({
    ...scimRoute,
    method: 'POST',
    path: `${SCIM_PATH}${place}/.search`,
    summary: `Search for ${what}, with the query in the body`,
    scopes: ['organisation_users.list'],
    changes: false,
    body: SearchBody,
    response: ScimList,
    async handle(call) {
      const { actor, body, db } = call
      requireSchema(readFields(body), SEARCH_REQUEST)
      return scimAnswer(await search(db, actor.organisationId, readQuery(body), baseOf(call)))
    },
  }),
)
