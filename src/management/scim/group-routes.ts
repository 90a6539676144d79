import type { TSchema } from '@sinclair/typebox'
import { listResponse } from '../../people/scim/documents.ts'
import type { MemberStep } from '../../people/scim/groups/patch.ts'
import {
  type ChangeOfGroup,
  deprovisionGroup,
  findGroup,
  listGroups,
  patchGroup,
  provisionGroup,
  replaceGroup,
  showGroups,
} from '../../people/scim/groups/service.ts'
import { readQuery } from '../../people/scim/query.ts'
import { readSelection } from '../../people/scim/selection.ts'
import { isKnown, versionOf } from '../../people/scim/version.ts'
import type { ScimGroup } from '../../store/objects/scim-groups.ts'
import { Empty } from '../fields.ts'
import { scopesIn } from '../resource/resource.ts'
import { type AnyRoute, type AuditEntry, defineRoute, type ManagementCall } from '../route.ts'
import { baseOf, emptyAnswer, resourceAnswer, SCIM_PATH, scimAnswer, versionsOf } from './answer.ts'
import { ListQuery, OneQuery, ScimBody, ScimList, ScimResource } from './model.ts'
import { scimRoute } from './scim-route.ts'

/** A group of a hundred thousand members, as Okta sends it whole. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

const scopes = scopesIn('organisation_users')
const Group = ScimResource('A group, in the form of RFC 7643, section 4.2')
const NewGroup = ScimBody('A group, in the form of RFC 7643, section 4.2')
const Patch = ScimBody('Changes, in the form of RFC 7644, section 3.5.2')

const all = { ...scimRoute, path: `${SCIM_PATH}/Groups` } as const
const one = { ...scimRoute, path: `${SCIM_PATH}/Groups/:id` } as const

type Call = ManagementCall<unknown, { readonly attributes?: string; readonly excludedAttributes?: string }>

/** The answer with one group, as the query wants to see it. */
const answer = async (call: Call, group: ScimGroup, status?: number): Promise<Response> => {
  const { db, query } = call
  const base = baseOf(call)
  const [shown = {}] = await showGroups(db, [group], readSelection(query), base)
  return resourceAnswer(shown, { location: `${base}/Groups/${group.id}`, version: versionOf(group) }, status)
}

const recordOf = ({ id, displayName, externalId }: ScimGroup) => ({ id, displayName, externalId })

/** Ids that the audit log keeps of one step. */
const MAX_TOLD = 1_000

const told = (step: MemberStep) =>
  step.kind === 'remove-where'
    ? { step: step.kind }
    : { step: step.kind, members: step.ids.length, ids: step.ids.slice(0, MAX_TOLD) }

const entry = (verb: string, { before, group, steps, memberships }: ChangeOfGroup): AuditEntry => ({
  action: `organisation_users.${verb}`,
  objectKind: 'scim_group',
  objectId: group.id,
  ...(before !== undefined && { before: recordOf(before) }),
  ...(verb !== 'delete' && {
    after: { ...recordOf(group), member_changes: steps.map(told), workspace_memberships: memberships },
  }),
})

/** Directories ask for no body, as it would have all the members (Entra ID's and Okta's documentation, read 2026-11-25). */
const changing = (
  method: 'PUT' | 'PATCH',
  { summary, body, status }: { readonly summary: string; readonly body: TSchema; readonly status?: 204 },
  change: typeof replaceGroup | typeof patchGroup,
): AnyRoute =>
  defineRoute({
    ...one,
    method,
    summary,
    ...(status !== undefined && { status }),
    scopes: scopes('update'),
    changes: true,
    body,
    query: OneQuery,
    maxBodyBytes: MAX_BODY_BYTES,
    response: status === undefined ? Group : Empty,
    async handle(call) {
      const { actor, db, params, body: given, query, request } = call
      const changed = await change(db, actor.organisationId, params.id ?? '', given, versionsOf(request))
      call.audit(entry('update', changed))
      const isAsked = query.attributes !== undefined || query.excludedAttributes !== undefined
      const isEmpty = status !== undefined && !isAsked
      return isEmpty ? emptyAnswer(status, versionOf(changed.group)) : answer(call, changed.group)
    },
  })

/** Groups, as a directory provisions them. */
export const scimGroupRoutes: readonly AnyRoute[] = [
  defineRoute({
    ...all,
    method: 'GET',
    summary: 'List groups, those that a filter is for',
    scopes: scopes('list'),
    changes: false,
    query: ListQuery,
    response: ScimList,
    async handle(call) {
      const { actor, db, query } = call
      const wanted = readQuery(query)
      const { resources, total } = await listGroups(db, actor.organisationId, wanted, baseOf(call))
      return scimAnswer(listResponse(resources, total, wanted.page.offset + 1))
    },
  }),
  defineRoute({
    ...all,
    method: 'POST',
    summary: 'Make a group; its members get the roles of mappings that name it',
    status: 201,
    scopes: scopes('create'),
    changes: true,
    body: NewGroup,
    query: OneQuery,
    maxBodyBytes: MAX_BODY_BYTES,
    response: Group,
    async handle(call) {
      const made = await provisionGroup(call.db, call.actor.organisationId, call.body)
      call.audit(entry('create', made))
      return answer(call, made.group, 201)
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    summary: 'Show a group',
    scopes: scopes('read'),
    changes: false,
    query: OneQuery,
    response: Group,
    async handle(call) {
      const { actor, db, params, request } = call
      const group = await findGroup(db, actor.organisationId, params.id ?? '')
      return isKnown(versionsOf(request), group) ? emptyAnswer(304, versionOf(group)) : answer(call, group)
    },
  }),
  changing(
    'PUT',
    { summary: 'Replace a group; its members too, where it has any list of them', body: NewGroup },
    replaceGroup,
  ),
  changing('PATCH', { summary: 'Change parts of a group', body: Patch, status: 204 }, patchGroup),
  defineRoute({
    ...one,
    method: 'DELETE',
    summary: 'Remove a group with its mappings; its members lose the roles that it gave',
    status: 204,
    scopes: scopes('delete'),
    changes: true,
    response: Empty,
    async handle(call) {
      const { actor, db, params, request } = call
      const removed = await deprovisionGroup(db, actor.organisationId, params.id ?? '', versionsOf(request))
      call.audit(entry('delete', removed))
      return emptyAnswer()
    },
  }),
]
