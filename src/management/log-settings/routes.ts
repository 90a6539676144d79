import { Type as t } from '@sinclair/typebox'
import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { changeOrganisation, findOrganisation, type Organisation } from '../../store/objects/tenancy.ts'
import type { Actor } from '../actor.ts'
import { nullable, Uuid } from '../fields.ts'
import { answerOf, ifGiven } from '../resource/answer.ts'
import { type AnyRoute, defineRoute, type ManagementCall } from '../route.ts'
import { fromLogSettings, Logs, toLogSettings } from './model.ts'

const settingsAnswer = answerOf<Organisation>()(
  { organisation_id: Uuid, name: t.String(), logs: nullable(Logs), object: t.Literal('organisation-settings') },
  { organisation_id: ({ id }) => id, logs: ({ logs }) => logs && fromLogSettings(logs) },
)

const UpdateSettings = t.Object({ logs: t.Optional(nullable(Logs)) }, { minProperties: 1 })

/** What holds for all workspaces of an organisation that do not say otherwise. */
export const organisationSettingsRoutes = (): readonly AnyRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/organisation/settings',
    tag: 'Organisation',
    summary: 'Read the settings of the organisation.',
    etag: true,
    scopes: ['organisation_settings.read'],
    plane: 'organisation',
    changes: false,
    response: settingsAnswer.schema,
    handle: async ({ db, actor }) => settingsAnswer.of(await ownOrganisation(db, actor)),
  }),
  defineRoute({
    method: 'PUT',
    path: '/organisation/settings',
    tag: 'Organisation',
    summary: 'Change the settings of the organisation; fields that are absent stay as they are, null clears.',
    scopes: ['organisation_settings.update'],
    plane: 'organisation',
    changes: true,
    body: UpdateSettings,
    response: settingsAnswer.schema,
    async handle({ db, actor, body, audit }) {
      const logs = ifGiven(body.logs, toLogSettings)
      const before = settingsAnswer.of(await ownOrganisation(db, actor))
      const after = settingsAnswer.of(await changeOrganisation(db, actor.organisationId, { logs }))
      const objectId = actor.organisationId
      audit({ action: 'organisation_settings.update', objectKind: 'organisation', objectId, before, after })
      return after
    },
  }),
]

const ownOrganisation = async (
  db: ManagementCall<unknown, unknown>['db'],
  { organisationId }: Actor,
): Promise<Organisation> => {
  const found = await findOrganisation(db, organisationId)
  if (found === undefined) throw new ManagementNotFound('The organisation of the key is gone.')
  return found
}
