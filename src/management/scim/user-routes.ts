import type { TSchema } from '@sinclair/typebox'
import { listResponse } from '../../people/scim/documents.ts'
import { readQuery } from '../../people/scim/query.ts'
import { readSelection } from '../../people/scim/selection.ts'
import { toUserResource } from '../../people/scim/users/resource.ts'
import {
  type ChangeOfUser,
  deprovisionUser,
  findUser,
  listUsers,
  patchStoredUser,
  provisionUser,
  replaceUser,
  showUsers,
} from '../../people/scim/users/service.ts'
import { isKnown, versionOf } from '../../people/scim/version.ts'
import type { User } from '../../store/objects/users.ts'
import { Empty } from '../fields.ts'
import { scopesIn } from '../resource/resource.ts'
import { type AnyRoute, type AuditEntry, defineRoute, type ManagementCall } from '../route.ts'
import { baseOf, emptyAnswer, resourceAnswer, SCIM_PATH, scimAnswer, versionsOf } from './answer.ts'
import { ListQuery, OneQuery, ScimBody, ScimList, ScimResource } from './model.ts'
import { scimRoute } from './scim-route.ts'

const scopes = scopesIn('organisation_users')
const ShownUser = ScimResource('A user, in the form of RFC 7643, section 4.1')
const NewUser = ScimBody('A user, in the form of RFC 7643, section 4.1')
const Patch = ScimBody('Changes, in the form of RFC 7644, section 3.5.2')

const all = { ...scimRoute, path: `${SCIM_PATH}/Users` } as const
const one = { ...scimRoute, path: `${SCIM_PATH}/Users/:id` } as const

type Call<Body> = ManagementCall<Body, { readonly attributes?: string; readonly excludedAttributes?: string }>

/** The answer with one user, as the query wants to see it. */
const answer = async (call: Call<unknown>, user: User, status?: number): Promise<Response> => {
  const { db, query } = call
  const base = baseOf(call)
  const [shown = {}] = await showUsers(db, [user], readSelection(query), base)
  return resourceAnswer(shown, { location: `${base}/Users/${user.id}`, version: versionOf(user) }, status)
}

/** What the audit log keeps of a user. */
const recordOf = (user: User) => toUserResource(user, undefined, '')

const entry = (verb: string, { id }: User): AuditEntry => ({
  action: `organisation_users.${verb}`,
  objectKind: 'user',
  objectId: id,
})

const changing = (
  method: 'PUT' | 'PATCH',
  summary: string,
  body: TSchema,
  change: typeof replaceUser | typeof patchStoredUser,
): AnyRoute =>
  defineRoute({
    ...one,
    method,
    summary,
    scopes: scopes('update'),
    changes: true,
    body,
    query: OneQuery,
    response: ShownUser,
    async handle(call) {
      const { actor, db, params, body: given, request } = call
      const { before, user }: ChangeOfUser = await change(db, actor, params.id ?? '', given, versionsOf(request))
      call.audit({ ...entry('update', user), before: recordOf(before), after: recordOf(user) })
      return answer(call, user)
    },
  })

/** Users, as a directory provisions them. */
export const scimUserRoutes: readonly AnyRoute[] = [
  defineRoute({
    ...all,
    method: 'GET',
    summary: 'List users, those that a filter is for',
    scopes: scopes('list'),
    changes: false,
    query: ListQuery,
    response: ScimList,
    async handle(call) {
      const { actor, db, query } = call
      const wanted = readQuery(query)
      const { resources, total } = await listUsers(db, actor.organisationId, wanted, baseOf(call))
      return scimAnswer(listResponse(resources, total, wanted.page.offset + 1))
    },
  }),
  defineRoute({
    ...all,
    method: 'POST',
    summary: 'Make a user: a member of the organisation, in no workspace yet',
    status: 201,
    scopes: scopes('create'),
    changes: true,
    body: NewUser,
    query: OneQuery,
    response: ShownUser,
    async handle(call) {
      const user = await provisionUser(call.db, call.actor, call.body)
      call.audit({ ...entry('create', user), after: recordOf(user) })
      return answer(call, user, 201)
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    summary: 'Show a user',
    scopes: scopes('read'),
    changes: false,
    query: OneQuery,
    response: ShownUser,
    async handle(call) {
      const { actor, db, params, request } = call
      const user = await findUser(db, actor.organisationId, params.id ?? '')
      return isKnown(versionsOf(request), user) ? emptyAnswer(304, versionOf(user)) : answer(call, user)
    },
  }),
  changing('PUT', 'Replace what is kept of a user', NewUser, replaceUser),
  changing('PATCH', 'Change parts of a user; `active: false` ends their keys and sessions', Patch, patchStoredUser),
  defineRoute({
    ...one,
    method: 'DELETE',
    summary: 'Remove a user with their memberships, keys and sessions',
    status: 204,
    scopes: scopes('delete'),
    changes: true,
    response: Empty,
    async handle(call) {
      const { actor, db, params, request } = call
      const user = await deprovisionUser(db, actor, params.id ?? '', versionsOf(request))
      call.audit({ ...entry('delete', user), before: recordOf(user) })
      return emptyAnswer()
    },
  }),
]
