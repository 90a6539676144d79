import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { deploymentRows } from '../../store/objects/deployments.ts'
import { isUuid } from '../../store/objects/rows.ts'
import { workspaceRows } from '../../store/objects/workspaces.ts'
import { isDeployment } from '../actor.ts'
import { type AnyCall, requireOrganisation } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { createCredentials, type NewCredentials } from './credentials.ts'
import {
  ChangeReceipt,
  DeploymentChange,
  DeploymentReceipt,
  DeploymentsQuery,
  deploymentAnswer,
  listedDeployment,
  NewDeployment,
  PingAnswer,
  ReadDeployment,
} from './model.ts'
import { type PingDeps, pingDeployment } from './ping.ts'
import { changeDeployment, createDeployment, type DeploymentsDeps, toWantedTags } from './service.ts'
import { type ShownDeployment, withConnections } from './shown.ts'

/** What a data plane calls itself. */
const SELF = 'self'

interface Made extends ShownDeployment {
  readonly shown?: NewCredentials['shown']
}

const entry = entryOf('deployments', 'deployment')

/** @throws ManagementNotFound; a data plane finds itself alone */
const reach = async ({ db, actor }: AnyCall, reference: string, verb: string): Promise<ShownDeployment> => {
  const { organisationId } = actor
  const isDataPlane = isDeployment(actor)
  const wanted = isDataPlane && reference === SELF ? actor.id : reference
  const isTheirs = isUuid(wanted) && (!isDataPlane || wanted.toLowerCase() === actor.id)
  const lock = verb === 'read' ? undefined : 'change'
  const found = isTheirs ? await deploymentRows.find(db, { organisationId, reference: wanted }, lock) : undefined
  // Archived once is archived: only a change of its status restores it.
  const isGone = found === undefined || (verb === 'delete' && found.status === 'archived')
  const [shown] = isGone ? [] : await withConnections(db, [found])
  if (shown === undefined) throw new ManagementNotFound(`There is no deployment '${reference}'.`)
  return shown
}

const deployments = resource<ShownDeployment, { readonly organisationId: string }>({
  place: async ({ actor, body }) => {
    requireOrganisation(actor, (body as { organisation_id?: string }).organisation_id)
    return { organisationId: actor.organisationId }
  },
  one: reach,
  tag: 'Deployments',
  plane: 'organisation',
  path: '/deployments/:deploymentId',
  scopes: scopesIn('deployments'),
  entry: (verb, { id }) => entry(verb, { id, workspaceId: null }),
  answer: deploymentAnswer,
  complete: withConnections,
})

/** Deployments: other gateways that get their configuration from this one (interface contract, section 3.9). */
export const deploymentsRoutes = (deps: DeploymentsDeps & PingDeps): readonly AnyRoute[] => [
  deployments.list({
    summary: 'List deployments',
    query: DeploymentsQuery,
    shown: listedDeployment,
    async rows({ db, actor, query }, page) {
      const { organisationId } = actor
      const { status, type, search, workspace_slug: slugs, tags } = query
      const found = await Promise.all(
        (slugs ?? []).map((reference) => workspaceRows.find(db, { organisationId, reference })),
      )
      const wanted = {
        ...{ organisationId, status, type, search },
        workspaceIds: slugs === undefined ? undefined : found.flatMap((workspace) => workspace?.id ?? []),
        tags: tags === undefined ? undefined : toWantedTags(tags),
      }
      const { rows, total } = await deploymentRows.list(db, wanted, page)
      return { rows: await withConnections(db, rows), total }
    },
  }),
  deployments.create({
    summary: 'Create a deployment; its credentials are shown in this answer alone',
    body: NewDeployment,
    response: DeploymentReceipt,
    async run({ db, actor, body }): Promise<Made> {
      const credentials = createCredentials()
      const made = await createDeployment(db, deps, actor, body, credentials)
      const [shown] = await withConnections(db, [made])
      if (shown === undefined) throw new Error('one deployment stayed one')
      return { ...shown, shown: credentials.shown }
    },
    receipt: ({ id, organisationId, shown }) => ({
      id,
      organisation_id: organisationId,
      ...shown,
      object: 'deployment',
    }),
  }),
  deployments.read({
    summary: 'Show a deployment; a data plane shows itself as `self`, with its own credentials',
    query: ReadDeployment,
    async show({ query }, row) {
      const { client_auth, credentials, ...shown } = deploymentAnswer.of(row)
      return query.include_credentials === false ? shown : { ...shown, client_auth, credentials }
    },
  }),
  deployments.update({
    summary: 'Change a deployment, rotate its credentials, or restore an archived one',
    body: DeploymentChange,
    response: ChangeReceipt,
    async run({ db, body }, stored): Promise<Made> {
      const credentials = body.rotate_auth === true ? createCredentials() : undefined
      const changed = await changeDeployment(db, deps, stored, body, credentials)
      const [shown] = await withConnections(db, [changed])
      return { ...stored, ...shown, ...(credentials === undefined ? {} : { shown: credentials.shown }) }
    },
    receipt: ({ shown }) => shown ?? {},
  }),
  deployments.delete({
    summary: 'Archive a deployment: the keys of its data planes end, and it can be restored',
    run: ({ db }, stored) => changeDeployment(db, deps, stored, { status: 'archived' }),
  }),
  defineRoute({
    method: 'GET',
    path: '/deployments/:deploymentId/ping',
    tag: 'Deployments',
    summary: 'Ask a deployment whether it is there, and look whether it is connected',
    scopes: ['deployments.read'],
    plane: 'organisation',
    changes: false,
    response: PingAnswer,
    async handle(call) {
      return pingDeployment(call.db, deps, await reach(call, call.params.deploymentId ?? '', 'read'))
    },
  }),
]
