import {
  ManagementConflict,
  ManagementForbidden,
  ManagementNotFound,
  ManagementReference,
} from '../../errors/gateway-error.ts'
import { mayGiveWorkspaceRole } from '../../people/roles.ts'
import { reconcile } from '../../people/scim/reconcile.ts'
import { holdPeople } from '../../people/users.ts'
import { scimGroupRows } from '../../store/objects/scim-groups.ts'
import { type ScimWorkspace, scimWorkspaceRows } from '../../store/objects/scim-workspaces.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'
import { placeOf, resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyCall, filterOf, named } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import type { AnyRoute } from '../route.ts'
import { MappingsQuery, mappingAnswer, NewMapping, type NewMappingBody } from './mapping-model.ts'

const mappings = resource<ScimWorkspace, { readonly organisationId: string }>({
  place: async ({ actor: { organisationId } }) => ({ organisationId }),
  async list(call, page) {
    const place = await placeOf(call.db, call.actor, named('workspace_id', call.query))
    return scimWorkspaceRows.list(call.db, { ...filterOf(call), ...place }, page)
  },
  async one({ actor: { organisationId }, db }, reference) {
    // Before the row: whoever changes a group holds people first too.
    await holdPeople(db, organisationId)
    const found = await scimWorkspaceRows.find(db, { organisationId, reference }, 'change')
    if (found === undefined) throw new ManagementNotFound(`There is no SCIM mapping '${reference}'.`)
    return found
  },
  tag: 'SCIM',
  plane: 'organisation',
  path: '/scim/workspaces/:mappingId',
  scopes: scopesIn('organisation_users'),
  entry: entryOf('organisation_users', 'scim_workspace'),
  answer: mappingAnswer,
})

/** What the groups of a directory are in workspaces (interface contract, section 8). */
export const scimMappingRoutes: readonly AnyRoute[] = [
  mappings.list({ summary: 'List which groups have which role in which workspace', query: MappingsQuery }),
  mappings.create({
    summary: 'Give the members of a group a role in a workspace; the mightiest of several counts',
    body: NewMapping,
    response: mappingAnswer.schema,
    async run(call, { organisationId }, note) {
      await holdPeople(call.db, organisationId)
      const made = await addMapping(call, call.body)
      note({ workspace_memberships: await reconcileMapping(call.db, made) })
      return made
    },
    receipt: mappingAnswer.of,
  }),
  mappings.delete({
    summary: 'Take from the members of a group the role that it gave them in a workspace',
    async run({ db }, mapping, note) {
      await scimWorkspaceRows.remove(db, mapping.id)
      note({ workspace_memberships: await reconcileMapping(db, mapping) })
    },
  }),
]

const reconcileMapping = (db: Db, { organisationId, workspaceId }: ScimWorkspace) =>
  reconcile(db, { organisationId, workspaceIds: [workspaceId] })

/** @throws ManagementInvalid, ManagementReference, ManagementForbidden; ManagementConflict for a group that has a role there */
const addMapping = async (
  { actor, db }: Pick<AnyCall, 'actor' | 'db'>,
  { workspace_id, role, scim_group_id, scim_group_name }: NewMappingBody,
): Promise<ScimWorkspace> => {
  if ((scim_group_id === undefined) === (scim_group_name === undefined)) {
    throw invalidField('scim_group_id', 'or `scim_group_name` must be given, and not both')
  }
  const { organisationId } = actor
  const { id: workspaceId } = await resolveWorkspace(db, actor, workspace_id)
  if (!mayGiveWorkspaceRole(actor, role)) {
    throw new ManagementForbidden(`The key may not give the role ${role} in a workspace.`, { param: 'role' })
  }
  const scimGroupId = scim_group_id?.toLowerCase()
  if (scimGroupId !== undefined) {
    const group = await scimGroupRows.find(db, { organisationId, reference: scimGroupId })
    if (group === undefined)
      throw new ManagementReference(`There is no group '${scimGroupId}'.`, { param: 'scim_group_id' })
  }
  const same = { organisationId, workspaceId, scim_group_id: scimGroupId, scim_group_name }
  if ((await scimWorkspaceRows.list(db, same, { offset: 0, limit: 1 })).total > 0) {
    throw new ManagementConflict('The group has a role in the workspace already: delete that mapping first.')
  }
  return scimWorkspaceRows.insert(db, {
    ...{ organisationId, workspaceId, role },
    ...{ scimGroupId: scimGroupId ?? null, scimGroupName: scim_group_name ?? null },
  })
}
