import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { holdPeople } from '../../people/users.ts'
import type { RowLock } from '../../store/objects/rows-of.ts'
import { workspaceRows } from '../../store/objects/workspaces.ts'
import type { NewProviderDeps } from '../integrations/deps.ts'
import { addMembers } from '../members/service.ts'
import { type BudgetsDeps, type WithUse, withUse } from '../own-budgets/live-budgets.ts'
import { createDefaultProviders } from '../providers/default-provider.ts'
import { type AnyCall, filterOf } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import type { AnyRoute } from '../route.ts'
import {
  CreateWorkspace,
  DeleteWorkspace,
  ListWorkspaces,
  type ShownWorkspace,
  UpdateWorkspace,
  workspaceAnswer,
} from './model.ts'
import { addWorkspace, changeWorkspace, ownerOf, removeWorkspace, withDefaults } from './service.ts'

/** Locks by verb. While a workspace is updated, a key may come to it that holds a config which the update needs. */
const LOCKS: Readonly<Record<string, RowLock>> = { update: 'edit', delete: 'change' }

/** The organisation of the caller; of a workspace key its own workspace alone. */
const placeOfActor = ({ actor: { organisationId, workspaceId } }: AnyCall) => ({ organisationId, workspaceId })
const entry = entryOf('workspaces', 'workspace')

const workspaceResource = ({ budgets }: BudgetsDeps) =>
  resource<WithUse<ShownWorkspace>, ReturnType<typeof placeOfActor>>({
    place: async (call) => placeOfActor(call),
    async list(call, page) {
      const { rows, total } = await workspaceRows.list(call.db, { ...filterOf(call), ...placeOfActor(call) }, page)
      return { rows: await withDefaults(call.db, rows), total }
    },
    async one(call, reference, verb) {
      const found = await workspaceRows.find(call.db, { ...placeOfActor(call), reference }, LOCKS[verb])
      const [shown] = found === undefined ? [] : await withDefaults(call.db, [found])
      if (shown === undefined) throw new ManagementNotFound(`There is no workspace '${reference}'.`)
      return shown
    },
    tag: 'Workspaces',
    plane: 'organisation',
    path: '/workspaces/:workspace',
    aliases: ['/admin/workspaces/:workspace'],
    scopes: scopesIn('workspaces'),
    entry: (verb, { id }) => entry(verb, { id, workspaceId: id }),
    answer: workspaceAnswer,
    complete: (db, rows) =>
      withUse(db, budgets, rows, (workspace) => ({
        organisationId: workspace.organisationId,
        owners: [ownerOf(workspace)],
      })),
  })

/** The parts of an organisation that its keys, providers and limits belong to (interface contract, section 8). */
export const workspacesRoutes = (deps: NewProviderDeps & BudgetsDeps): readonly AnyRoute[] => {
  const workspaces = workspaceResource(deps)
  return [
    workspaces.list({
      summary: 'List the workspaces of the organisation; for a workspace key its own.',
      query: ListWorkspaces,
    }),
    workspaces.create({
      summary: 'Create a workspace.',
      body: CreateWorkspace,
      response: workspaceAnswer.schema,
      async run({ db, actor, body: { users = [], ...body } }, _place, note) {
        if (users.length > 0) await holdPeople(db, actor.organisationId)
        const created = await addWorkspace(db, actor, body, deps)
        const members = users.map((user) => (typeof user === 'string' ? { id: user, role: 'member' as const } : user))
        if (members.length > 0) note({ users: await addMembers(db, actor, created, members) })
        const made = await createDefaultProviders(db, deps, created)
        if (made.length > 0) note({ default_providers: made })
        return created
      },
      receipt: workspaceAnswer.of,
    }),
    workspaces.read({ summary: 'Read a workspace, by id or slug.' }),
    workspaces.update({
      summary: 'Change a workspace; fields that are absent stay as they are, null clears.',
      body: UpdateWorkspace,
      response: workspaceAnswer.schema,
      run: ({ actor, body, db }, workspace, note) => changeWorkspace(db, actor, workspace, body, deps, note),
      receipt: workspaceAnswer.of,
    }),
    workspaces.delete({
      summary:
        'Delete a workspace; refused while keys, providers, integrations, configs, guardrails or prompts belong to it, unless forced.',
      body: DeleteWorkspace,
      async run({ actor, body, db }, workspace, note) {
        const { apiKeys, promptPartials, ...deleted } = await removeWorkspace(db, actor, workspace, body)
        note({ deleted: { api_keys: apiKeys, prompt_partials: promptPartials, ...deleted } })
      },
    }),
  ]
}
