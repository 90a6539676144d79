import type { Alerts } from '../alerts/alerts.ts'
import type { KeyRotationEvent, OnKeyRotation } from '../management/api-keys/rotation-runner.ts'

/** Raises an alert for what a key went through by itself, in the same transaction. */
export const keyRotationAlerts =
  (alerts: Pick<Alerts, 'raiseWithin'>): OnKeyRotation =>
  async ({ kind, key, endsAt }, transaction) => {
    const { id, name, maskedKey, organisationId, workspaceId, alertEmails } = key
    await alerts.raiseWithin(transaction, {
      organisationId,
      workspaceId,
      kind: 'api_key.rotated',
      subject: `${id} ${kind} ${endsAt.toISOString()}`,
      data: {
        organisation_id: organisationId,
        workspace_id: workspaceId,
        api_key: { id, name, key: maskedKey, alert_emails: alertEmails ?? [] },
        state: STATES[kind],
        old_secret_ends_at: endsAt.toISOString(),
      },
      audit: { action: 'api_keys.alert', objectKind: 'api_key', objectId: id },
    })
  }

/** What has become of the new secret, in the words of the interface. */
const STATES = {
  rotated: 'to_be_collected',
  uncollected: 'still_to_be_collected',
  lapsed: 'given_up',
} as const satisfies Record<KeyRotationEvent['kind'], string>
