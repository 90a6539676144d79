import { SECRET_FIELD } from '../../alerts/alerts.ts'
import { isWebhookSecret, newWebhookSecret } from '../../alerts/signature.ts'
import { ManagementInvalid } from '../../errors/gateway-error.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import {
  type AlertWebhook,
  alertRows,
  countWebhooks,
  deliveriesOf,
  insertAlert,
  insertDeliveries,
  webhookRows,
} from '../../store/objects/alerts.ts'
import { newId } from '../../store/objects/rows.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { Empty, WorkspaceQuery } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { listOf, toList, toPage } from '../list.ts'
import { columnsOf } from '../resource/answer.ts'
import { inWorkspace, placeOfCall } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import { type AnyRoute, defineRoute, type ManagementCall } from '../route.ts'
import {
  AlertsQuery,
  alertAnswer,
  NewWebhook,
  type NewWebhookBody,
  TestReceipt,
  WebhookChange,
  WebhookReceipt,
  WebhooksQuery,
  webhookAnswer,
} from './model.ts'

export interface AlertsDeps {
  readonly secretBox: SecretBox
  /** @throws EgressRefused for an address that workspaces must not reach */
  readonly checkCustomHost: (url: string) => string
  readonly alerts: {
    /** Says that there is something to deliver. */
    readonly wake: () => void
  }
}

const MAX_WEBHOOKS = 20
/** Messages go out once the transaction of the call is through. */
const WAKE_MS = 100

const webhooks = resource({
  ...inWorkspace(webhookRows, 'webhook'),
  tag: 'Alerts',
  path: '/alerts/webhooks/:webhookId',
  scopes: scopesIn('policies'),
  entry: entryOf('alert_webhooks', 'alert_webhook'),
  answer: webhookAnswer,
  query: WorkspaceQuery,
})

/** Alerts of a workspace, and where it hears of them. */
export const alertsRoutes = ({ secretBox, checkCustomHost, alerts }: AlertsDeps): readonly AnyRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/alerts',
    tag: 'Alerts',
    summary: 'List the alerts of a workspace with their deliveries, the newest first',
    scopes: ['policies.list'],
    plane: 'workspace',
    changes: false,
    query: AlertsQuery,
    response: listOf(alertAnswer.schema),
    async handle(call) {
      const { db, query } = call
      const place = await placeOfCall(call)
      const { rows, total } = await alertRows.list(db, { ...place, kind: query.kind }, toPage(query))
      const sent = Map.groupBy(
        await deliveriesOf(
          db,
          rows.map(({ id }) => id),
        ),
        ({ alertId }) => alertId,
      )
      return toList(
        rows.map((row) => alertAnswer.of({ ...row, sent: sent.get(row.id) ?? [] })),
        total,
      )
    },
  }),
  webhooks.list({ summary: 'List the webhooks of a workspace that hear of its alerts', query: WebhooksQuery }),
  webhooks.create({
    summary: 'Add a webhook for alerts; its secret is shown in the answer alone',
    body: NewWebhook,
    response: WebhookReceipt,
    run: async ({ db, body }, place) => {
      checkUrl(body.url, checkCustomHost)
      if ((await countWebhooks(db, place.workspaceId)) >= MAX_WEBHOOKS) {
        throw new ManagementInvalid(`The workspace has ${MAX_WEBHOOKS} webhooks, and cannot have more.`)
      }
      return addWebhook(db, place, body, secretBox)
    },
    receipt: ({ id, clearSecret }) => ({ id, secret: clearSecret, object: 'alert_webhook' }),
  }),
  webhooks.read({ summary: 'Show a webhook' }),
  webhooks.update({
    summary: 'Change a webhook; a new secret holds for the messages from now on',
    body: WebhookChange,
    async run({ db, body }, webhook) {
      if (body.url !== undefined) checkUrl(body.url, checkCustomHost)
      const secret = body.secret === undefined ? undefined : await seal(db, secretBox, webhook, body.secret)
      const fields = columnsOf(body, ['url', 'name', 'kinds', 'is_enabled'])
      const changes = { id: webhook.id, ...fields, ...(secret === undefined ? {} : { secret }) }
      return (await webhookRows.update(db, changes)) ?? webhook
    },
  }),
  webhooks.delete({
    summary: 'Delete a webhook, with the messages that are on their way to it',
    run: ({ db }, { id }) => webhookRows.remove(db, id),
  }),
  webhooks.act({
    summary: 'Send a message to a webhook, to try it: the list of alerts shows what became of it',
    method: 'POST',
    verb: 'update',
    path: '/test',
    body: Empty,
    bodyOptional: true,
    response: TestReceipt,
    async run({ db, actor }: ManagementCall<unknown, unknown>, webhook) {
      const { id, organisationId, workspaceId } = webhook
      const data = { workspace_id: workspaceId, webhook_id: id, asked_by: actor.id }
      const alert = await insertAlert(db, { organisationId, workspaceId, kind: 'test', subject: newId(), data })
      if (alert !== undefined) await insertDeliveries(db, alert.id, [id])
      setTimeout(alerts.wake, WAKE_MS).unref()
      return { ...webhook, alertId: alert?.id ?? id }
    },
    receipt: (row) => ({ alert_id: (row as { alertId?: string }).alertId, object: 'alert' }),
  }),
]

const addWebhook = async (
  db: Db,
  place: WorkspacePlace,
  { secret: given, ...body }: NewWebhookBody,
  secretBox: AlertsDeps['secretBox'],
): Promise<AlertWebhook & { readonly clearSecret: string }> => {
  const clearSecret = given ?? newWebhookSecret()
  const id = newId()
  const secret = await seal(db, secretBox, { id, ...place }, clearSecret)
  const fields = columnsOf(body, ['name', 'kinds', 'is_enabled'])
  const row = await webhookRows.insert(db, { ...place, id, url: body.url, secret, ...fields })
  return { ...row, clearSecret }
}

const seal = (
  db: Db,
  secretBox: AlertsDeps['secretBox'],
  { id, organisationId }: Pick<AlertWebhook, 'id' | 'organisationId'>,
  secret: string,
): Promise<string> => {
  if (!isWebhookSecret(secret)) throw invalidField('secret', 'must be `whsec_` and 24 to 64 bytes in base64')
  return secretBox.seal(db, organisationId, id, SECRET_FIELD, secret)
}

/** @throws ManagementInvalid for an address that is none, holds a login, or that workspaces must not reach */
const checkUrl = (url: string, checkCustomHost: AlertsDeps['checkCustomHost']): void => {
  const parsed = URL.parse(url)
  if (parsed === null) throw invalidField('url', 'is no URL')
  if (parsed.username !== '' || parsed.password !== '') throw invalidField('url', 'must not hold a login')
  try {
    checkCustomHost(url)
  } catch (thrown) {
    throw invalidField('url', thrown instanceof Error ? `cannot be used: ${thrown.message}` : 'cannot be used')
  }
}
