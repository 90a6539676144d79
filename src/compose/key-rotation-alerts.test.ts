import { expect, test } from 'bun:test'
import { createAlerts } from '../alerts/alerts.ts'
import { createRotationRunner } from '../management/api-keys/rotation-runner.ts'
import { setScene } from '../management/api-keys/test-support.ts'
import { silentLog } from '../management/tokens/test-support.ts'
import { listAudit } from '../store/objects/audit-log.ts'
import { alerts as alertTable } from '../store/schema/alerts.ts'
import { describeOnBothStores, SLOW_START_MS } from '../store/testing.ts'
import { keyRotationAlerts } from './key-rotation-alerts.ts'

const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000

describeOnBothStores('a key that rotates by itself', (store) => {
  test(
    'raises an alert for each thing that its owner has to know, once and with no secret',
    async () => {
      const scene = await setScene(store(), { startMs: Date.UTC(2024, 0, 31) })
      const { clock, organisationId, workspaceId, secretBox } = scene
      const { id, key } = await scene.create({
        name: 'nightly',
        alert_emails: ['a@b.example'],
        rotation_policy: { rotation_period_days: 7 },
      })
      const { db } = store()
      const alerts = createAlerts({
        db,
        upstream: { send: () => Promise.reject(new Error('nobody is to be told')) },
        now: clock.now,
        log: silentLog,
        openSecret: () => '',
      })
      const onRotation = keyRotationAlerts(alerts)
      const runners = [0, 1].map(() =>
        createRotationRunner({ store: store(), secretBox, clock, log: silentLog, onRotation }),
      )
      const run = () => Promise.all(runners.map((runner) => runner.run()))
      await run()
      clock.advance(7 * DAY_MS)
      const endsAt = new Date(clock.now() + 2 * HALF_HOUR_MS).toISOString()
      for (const ms of [0, HALF_HOUR_MS, HALF_HOUR_MS, DAY_MS]) {
        clock.advance(ms)
        await run()
      }
      await Promise.all([...runners, alerts].map((each) => each.close()))

      const raised = (await db.select().from(alertTable)).filter((alert) => alert.organisationId === organisationId)
      const states = raised.map(({ data }) => data.state)
      expect(states.toSorted()).toEqual(['given_up', 'still_to_be_collected', 'to_be_collected'])
      for (const { data, kind } of raised) {
        expect({ kind, data }).toMatchObject({
          kind: 'api_key.rotated',
          data: {
            workspace_id: workspaceId,
            api_key: { id, name: 'nightly', alert_emails: ['a@b.example'] },
            old_secret_ends_at: endsAt,
          },
        })
      }
      expect(JSON.stringify(raised)).not.toContain(key)
      const { rows } = await listAudit(db, { organisationId, objectId: id }, { offset: 0, limit: 20 })
      expect(rows.map(({ action }) => action).toSorted()).toEqual([
        'api_keys.alert',
        'api_keys.alert',
        'api_keys.alert',
        'api_keys.create',
        'api_keys.lapse',
        'api_keys.rotate',
      ])
    },
    SLOW_START_MS,
  )
})
