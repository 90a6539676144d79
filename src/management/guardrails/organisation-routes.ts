import { Type as t } from '@sinclair/typebox'
import type { CheckStage } from '../../core/guardrails.ts'
import { ManagementReference } from '../../errors/gateway-error.ts'
import {
  findOrganisationDefaults,
  holdDefaults,
  listExclusions,
  putExclusions,
} from '../../store/objects/guardrail-defaults.ts'
import { workspaceRows } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import { Uuid } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { requireOrganisation } from '../resource/reach.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { changeDefaults, showDefaults } from './default-sets.ts'
import { Exclusions, type ExclusionsBody, OrganisationDefaults } from './model.ts'

const tag = 'Organisation guardrails'

const DefaultsAnswer = t.Object({
  organisation_id: Uuid,
  input_guardrails: t.Array(t.String()),
  output_guardrails: t.Array(t.String()),
  object: t.Literal('organisation-defaults'),
})

const showOrganisation = async (db: Db, organisationId: string) => ({
  organisation_id: organisationId,
  ...showDefaults(await findOrganisationDefaults(db, organisationId)),
  object: 'organisation-defaults' as const,
})

/** Guardrails of every call of an organisation. */
const defaultsRoutes: readonly AnyRoute[] = [
  defineRoute({
    tag,
    plane: 'organisation',
    method: 'GET',
    path: '/organisation/defaults',
    summary: 'Show the guardrails of every call of the organisation',
    etag: true,
    scopes: ['organisation_settings.read'],
    changes: false,
    response: DefaultsAnswer,
    handle: ({ db, actor }) => showOrganisation(db, actor.organisationId),
  }),
  defineRoute({
    tag,
    plane: 'organisation',
    method: 'PUT',
    path: '/organisation/defaults',
    summary: 'Set the guardrails of every call of the organisation; a set that is absent stays as it is, null clears',
    scopes: ['organisation_settings.update'],
    changes: true,
    body: OrganisationDefaults,
    response: DefaultsAnswer,
    async handle({ db, actor, body, audit }) {
      const { organisationId } = actor
      requireOrganisation(actor, body.organisation_id)
      const before = await showOrganisation(db, organisationId)
      await changeDefaults(db, { organisationId, workspaceId: null }, body)
      const after = await showOrganisation(db, organisationId)
      const objectKind = 'organisation_defaults'
      audit({ action: 'organisation_settings.update', objectKind, objectId: organisationId, before, after })
      return after
    },
  }),
]

const ExclusionsAnswer = t.Object({
  workspaces: t.Array(t.Object({ workspace_id: Uuid, slug: t.String(), excluded: t.Literal(true) })),
  total: t.Integer({ minimum: 0 }),
})

const showExclusions = async (db: Db, organisationId: string, stage: CheckStage) => {
  const found = await listExclusions(db, organisationId, stage)
  const workspaces = found.map(({ id, slug }) => ({ workspace_id: id, slug, excluded: true as const }))
  return { workspaces, total: workspaces.length }
}

const exclusionRoutes = (stage: CheckStage): readonly AnyRoute[] => {
  const shared = { tag, plane: 'organisation', path: `/workspace-exclusions/${stage}-guardrails` } as const
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      summary: `List the workspaces that the ${stage} guardrails of the organisation leave alone`,
      etag: true,
      scopes: ['organisation_exclusions.list'],
      changes: false,
      response: ExclusionsAnswer,
      handle: ({ db, actor }) => showExclusions(db, actor.organisationId, stage),
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      summary: `Say which workspaces the ${stage} guardrails of the organisation leave alone`,
      scopes: ['organisation_exclusions.update'],
      changes: true,
      body: Exclusions,
      response: ExclusionsAnswer,
      async handle({ db, actor, body, audit }) {
        const { organisationId } = actor
        requireOrganisation(actor, body.organisation_id)
        await holdDefaults(db, { organisationId, workspaceId: null })
        const before = await showExclusions(db, organisationId, stage)
        await changeExclusions(db, organisationId, stage, body)
        const after = await showExclusions(db, organisationId, stage)
        const objectKind = 'guardrail_exclusions'
        audit({ action: 'organisation_exclusions.update', objectKind, objectId: organisationId, before, after })
        return after
      },
    }),
  ]
}

/** @throws ManagementReference, ManagementInvalid naming the field */
const changeExclusions = async (
  transaction: Db,
  organisationId: string,
  stage: CheckStage,
  { workspaces, override_existing: isWhole }: ExclusionsBody,
): Promise<void> => {
  const given = new Map<string, boolean>()
  for (const [index, { workspace_id: reference, excluded }] of workspaces.entries()) {
    const param = `workspaces[${index}].workspace_id`
    const workspace = await workspaceRows.find(transaction, { organisationId, reference })
    if (workspace === undefined) throw new ManagementReference(`There is no workspace '${reference}'.`, { param })
    if (given.has(workspace.id)) throw invalidField(param, 'is there twice')
    given.set(workspace.id, excluded)
  }
  const named = (wanted: boolean) => [...given].filter(([, excluded]) => excluded === wanted).map(([id]) => id)
  const earlier = isWhole ? await listExclusions(transaction, organisationId, stage) : []
  const forgotten = earlier.map(({ id }) => id).filter((id) => !given.has(id))
  await putExclusions(transaction, stage, { excluded: named(true), included: [...named(false), ...forgotten] })
}

/** What guardrails do to all workspaces of an organisation (interface contract, section 3.2). */
export const organisationGuardrailRoutes: readonly AnyRoute[] = [
  ...defaultsRoutes,
  ...exclusionRoutes('input'),
  ...exclusionRoutes('output'),
]
