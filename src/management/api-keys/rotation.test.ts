import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { apiKeyRows } from '../../store/objects/api-keys.ts'
import { listAudit } from '../../store/objects/audit-log.ts'
import { readRotatedSecret } from '../../store/objects/key-rotation.ts'
import { describeOnBothStores, emptyStore, SLOW_START_MS } from '../../store/testing.ts'
import { createRotationRunner, type KeyRotationEvent, type RotationRunner } from './rotation-runner.ts'
import { refusal, type Scene, setScene } from './test-support.ts'

setDefaultTimeout(SLOW_START_MS)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const HALF_HOUR_MS = 30 * MINUTE_MS

/** A leap year, and the end of a month: long enough ago for the clock of the database not to hold anything up. */
const START = '2024-01-31T12:00:00.000Z'

describeOnBothStores('keys that rotate by themselves', (store) => {
  let scene: Scene
  let events: KeyRotationEvent[]
  let lines: string[]

  beforeEach(async () => {
    // Keys of the tests before would be due too.
    await emptyStore(store())
    scene = await setScene(store(), { startMs: Date.parse(START) })
    events = []
    lines = []
  })

  /** A gateway that looks for due keys when told. */
  const withRunner = async (
    work: (run: () => Promise<void>, runner: RotationRunner) => Promise<void>,
    onRotation: (event: KeyRotationEvent) => void = (event) => void events.push(event),
  ): Promise<void> => {
    const line = (message: string, fields: object = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`)
    const runner = createRotationRunner({
      store: store(),
      secretBox: scene.secretBox,
      clock: scene.clock,
      log: { info: line, warn: line, error: line },
      onRotation,
      pollMs: 3_600_000,
    })
    // What it does at its start.
    await runner.run()
    try {
      await work(() => runner.run(), runner)
    } finally {
      await runner.close()
    }
  }

  const until = (text: string): void => scene.clock.advance(Date.parse(text) - scene.clock.now())
  const collect = (id: string, as = scene.admin) => scene.send(as, 'POST', `/api-keys/${id}/rotated-key`)
  const policyOf = async (id: string) => (await scene.read(id)).rotation_policy
  /** Which of these secrets are of the key, and work now. */
  const working = async (id: string, ...secrets: readonly string[]): Promise<readonly boolean[]> => {
    const [record] = await rowsOf(id)
    return Promise.all(
      secrets.map(async (secret) => {
        const isOf = (await scene.owners(secret)).includes(id)
        const isFormer = record?.maskedKey.slice(-3) !== secret.slice(-3)
        return isOf && (!isFormer || (record?.previousExpiresAt?.getTime() ?? 0) > scene.clock.now())
      }),
    )
  }
  const rowsOf = async (id: string) => {
    const found = await apiKeyRows.find(store().db, { organisationId: scene.organisationId, reference: id })
    return found === undefined ? [] : [found]
  }
  const auditOf = async (id: string) => {
    const filter = { organisationId: scene.organisationId, objectId: id }
    return (await listAudit(store().db, filter, { offset: 0, limit: 50 })).rows
  }
  const kinds = () => events.map(({ kind }) => kind)

  test('a month later, on the last day of February, and the next month on the day that it began', async () => {
    const { id, key } = await scene.create({ rotation_policy: { rotation_period: 'monthly' } })
    expect(await policyOf(id)).toEqual({ rotation_period: 'monthly', next_rotation_at: '2024-02-29T12:00:00.000Z' })
    await withRunner(async (run) => {
      until('2024-02-29T11:59:59.999Z')
      await run()
      expect(events).toEqual([])
      until('2024-02-29T12:00:00.000Z')
      await run()
      await run()
      expect(kinds()).toEqual(['rotated'])
      expect(await policyOf(id)).toEqual({ rotation_period: 'monthly', next_rotation_at: '2024-03-31T12:00:00.000Z' })
      expect(await working(id, key)).toEqual([true])
    })
  })

  test('the new secret is sealed, collected once, and told to nobody else', async () => {
    const { id, key } = await scene.create({ rotation_policy: { rotation_period_days: 7 } })
    expect(refusal(await collect(id))).toEqual([404, 'AB08', null])
    await withRunner(async (run) => {
      scene.clock.advance(7 * DAY_MS)
      await run()
      const ends = scene.inFuture(2 * HALF_HOUR_MS)
      expect(await scene.read(id)).toMatchObject({ key_transition_expires_at: ends, rotated_key_expires_at: ends })
      const sealed = await readRotatedSecret(store().db, id)
      expect(sealed).toBeString()
      const { status, body } = await collect(id)
      expect([status, Object.keys(body)]).toEqual([200, ['id', 'key', 'key_transition_expires_at']])
      const secret = String(body.key)
      expect(secret).toMatch(/^weir_/)
      expect(await working(id, key, secret)).toEqual([true, true])
      expect(await readRotatedSecret(store().db, id)).toBeUndefined()
      expect(await scene.read(id)).toMatchObject({ rotated_key_expires_at: null })
      const again = await collect(id)
      expect(refusal(again)).toEqual([404, 'AB08', null])
      expect(JSON.stringify(again.body)).toContain('collected before')

      const told = JSON.stringify([events, lines, await auditOf(id), await scene.read(id)])
      for (const hidden of [key, secret, sealed ?? '']) expect(told).not.toContain(hidden)
    })
  })

  test('is in the audit log: the rotation by the system, the collection by who made it', async () => {
    const { id } = await scene.create({ name: 'audited', rotation_policy: { rotation_period_days: 7 } })
    await withRunner(async (run) => {
      scene.clock.advance(7 * DAY_MS)
      await run()
    })
    await collect(id)
    const [collected, rotated] = await auditOf(id)
    expect(rotated).toMatchObject({
      action: 'api_keys.rotate',
      actorKind: 'system',
      actorId: 'weir',
      objectKind: 'api_key',
      workspaceId: scene.workspaceId,
      before: { name: 'audited', key_transition_expires_at: null },
      after: { name: 'audited', key_transition_expires_at: scene.inFuture(2 * HALF_HOUR_MS) },
      method: null,
    })
    expect(rotated?.before?.key).not.toBe(rotated?.after?.key)
    expect(collected).toMatchObject({ action: 'api_keys.collect', actorId: scene.admin.id, method: 'POST' })
    expect(lines.join()).toContain(`"id":"${id}","name":"audited"`)
  })

  describe('the old secret', () => {
    const rotated = async (run: () => Promise<void>, transitionMs = HOUR_MS) => {
      const policy = { rotation_period_days: 7, key_transition_period_ms: transitionMs }
      const made = await scene.create({ rotation_policy: policy })
      scene.clock.advance(7 * DAY_MS)
      await run()
      return made
    }

    test('works for a time of transition after the collection, however late that is', async () => {
      await withRunner(async (run) => {
        const { id, key } = await rotated(run)
        scene.clock.advance(50 * MINUTE_MS)
        expect((await collect(id)).body).toMatchObject({ key_transition_expires_at: scene.inFuture(HOUR_MS) })
        scene.clock.advance(HOUR_MS - 1)
        expect(await working(id, key)).toEqual([true])
        scene.clock.advance(1)
        expect(await working(id, key)).toEqual([false])
        await run()
        expect(kinds()).toEqual(['rotated'])
      })
    })

    test('works twice as long where nobody collects, its owner is reminded once, and then the new one is given up', async () => {
      await withRunner(async (run) => {
        const { id, key } = await rotated(run)
        const ends = scene.inFuture(2 * HOUR_MS)
        scene.clock.advance(HOUR_MS)
        await run()
        await run()
        expect(kinds()).toEqual(['rotated', 'uncollected'])
        expect(events.map(({ endsAt }) => endsAt.toISOString())).toEqual([ends, ends])
        scene.clock.advance(HOUR_MS - 1)
        expect(await working(id, key)).toEqual([true])
        scene.clock.advance(1)
        // Before the runner has looked.
        expect(refusal(await collect(id))).toEqual([404, 'AB08', null])
        await run()
        await run()
        expect(kinds()).toEqual(['rotated', 'uncollected', 'lapsed'])
        expect([await readRotatedSecret(store().db, id), await working(id, key)]).toEqual([undefined, [false]])
        expect((await auditOf(id))[0]).toMatchObject({ action: 'api_keys.lapse', actorKind: 'system' })
        // Whoever may rotate it gets it back.
        const { status, body } = await scene.send(scene.admin, 'POST', `/api-keys/${id}/rotate`)
        expect([status, await scene.owners(String(body.key))]).toEqual([200, [id]])
      })
    })

    test('collected after the reminder, it ends when that said', async () => {
      await withRunner(async (run) => {
        const { id } = await rotated(run)
        const ends = scene.inFuture(2 * HOUR_MS)
        scene.clock.advance(HOUR_MS + MINUTE_MS)
        await run()
        expect((await collect(id)).body).toMatchObject({ key_transition_expires_at: ends })
        expect(await scene.read(id)).toMatchObject({ key_transition_expires_at: ends })
      })
    })

    test('is not cut off by a gateway that was down when its owner was to be reminded', async () => {
      let made = { id: '', key: '' }
      await withRunner(async (run) => {
        made = await rotated(run)
      })
      scene.clock.advance(3 * DAY_MS)
      await withRunner(async () => {
        expect(kinds()).toEqual(['rotated', 'uncollected'])
        expect(await scene.read(made.id)).toMatchObject({ key_transition_expires_at: scene.inFuture(HOUR_MS) })
        expect(await working(made.id, made.key)).toEqual([true])
        expect((await auditOf(made.id))[0]).toMatchObject({ action: 'api_keys.extend', actorKind: 'system' })
        expect((await collect(made.id)).status).toBe(200)
      })
    })
  })

  test('a collection by a clock that stepped back leaves the old secret the time that was planned', async () => {
    await withRunner(async (run) => {
      const { id } = await scene.create({ rotation_policy: { rotation_period_days: 7 } })
      scene.clock.advance(7 * DAY_MS)
      await run()
      const planned = scene.inFuture(HALF_HOUR_MS)
      scene.clock.advance(-DAY_MS)
      await run()
      expect(kinds()).toEqual(['rotated'])
      expect((await collect(id)).body).toMatchObject({ key_transition_expires_at: planned })
    })
  })

  describe('a rotation that is due', () => {
    test('waits for the transition of the one before, however long that is', async () => {
      const { id } = await scene.create({ rotation_policy: { rotation_period_days: 7 } })
      const { body } = await scene.send(scene.admin, 'POST', `/api-keys/${id}/rotate`, {
        key_transition_period_ms: 10 * DAY_MS,
      })
      const second = String(body.key)
      await withRunner(async (run) => {
        scene.clock.advance(10 * DAY_MS - 1)
        await run()
        expect(events).toEqual([])
        scene.clock.advance(1)
        await run()
        expect(kinds()).toEqual(['rotated'])
        expect(await scene.owners(second)).toEqual([id])
      })
    })

    test('comes once after a long stop, and not again a moment later', async () => {
      const { id } = await scene.create({ rotation_policy: { rotation_period_days: 1 } })
      // Ten minutes before the next one would be due.
      scene.clock.advance(40 * DAY_MS - 10 * MINUTE_MS)
      await withRunner(async (run) => {
        expect(kinds()).toEqual(['rotated'])
        await collect(id)
        scene.clock.advance(HOUR_MS)
        await run()
        expect(kinds()).toEqual(['rotated'])
        expect(await policyOf(id)).toMatchObject({ next_rotation_at: '2024-03-12T12:00:00.000Z' })
      })
    })

    test('at a single time is used up by it', async () => {
      const next_rotation_at = '2024-02-10T00:00:00.000Z'
      const { id } = await scene.create({ rotation_policy: { next_rotation_at } })
      expect(await policyOf(id)).toEqual({ next_rotation_at })
      await withRunner(async (run) => {
        until(next_rotation_at)
        await run()
        expect([kinds(), await policyOf(id)]).toEqual([['rotated'], null])
        scene.clock.advance(400 * DAY_MS)
        await run()
        expect(kinds()).toEqual(['rotated', 'uncollected'])
      })
    })

    test('is not made by a clock that runs ahead of the database', async () => {
      const { id } = await scene.create({ rotation_policy: { rotation_period: 'weekly' } })
      const ahead = Date.now() + 40 * DAY_MS
      await apiKeyRows.update(store().db, { id, nextRotationAt: new Date(Date.now() + DAY_MS) })
      scene.clock.advance(ahead - scene.clock.now())
      await withRunner(async () => expect(events).toEqual([]))
    })

    test('is for keys that live, and not for those of the environment', async () => {
      const policy = { rotation_policy: { rotation_period_days: 7 } }
      const expired = await scene.create({ ...policy, expires_at: scene.inFuture(2 * DAY_MS) })
      const revoked = await scene.create(policy)
      const preset = await scene.create(policy)
      const exhausted = await scene.create(policy)
      await scene.send(scene.admin, 'DELETE', `/api-keys/${revoked.id}`)
      await apiKeyRows.update(store().db, { id: preset.id, preset: 'api' })
      await apiKeyRows.update(store().db, { id: exhausted.id, status: 'exhausted' })
      scene.clock.advance(8 * DAY_MS)
      await withRunner(async (run) => {
        expect(events.map(({ key }) => key.id)).toEqual([exhausted.id])
        // Once more in use, it is rotated late.
        await scene.send(scene.admin, 'PUT', `/api-keys/${expired.id}`, { expires_at: null })
        await run()
        expect(events.map(({ key }) => key.id)).toEqual([exhausted.id, expired.id])
      })
    })

    test('that cannot be told of has not happened, and holds up no other key', async () => {
      const policy = { rotation_policy: { rotation_period_days: 7 } }
      const { id: bad, key } = await scene.create(policy)
      const { id: good } = await scene.create(policy)
      scene.clock.advance(7 * DAY_MS)
      let isBroken = true
      await withRunner(
        async (run) => {
          expect(events.map((event) => event.key.id)).toEqual([good])
          expect(await scene.read(bad)).toMatchObject({ rotated_key_expires_at: null })
          expect(await working(bad, key)).toEqual([true])
          isBroken = false
          await run()
          expect(events.map((event) => event.key.id)).toEqual([good, bad])
        },
        (event) => {
          if (isBroken && event.key.id === bad) throw new Error('nobody listens')
          events.push(event)
        },
      )
      expect(lines.join()).toContain('an API key could not be rotated')
    })
  })

  test('a rotation by hand begins the period anew, and leaves a single time alone', async () => {
    const monthly = await scene.create({ rotation_policy: { rotation_period: 'monthly' } })
    const once = await scene.create({ rotation_policy: { next_rotation_at: '2024-05-01T00:00:00.000Z' } })
    until('2024-02-15T08:00:00.000Z')
    for (const { id } of [monthly, once]) await scene.send(scene.admin, 'POST', `/api-keys/${id}/rotate`)
    expect(await policyOf(monthly.id)).toMatchObject({ next_rotation_at: '2024-03-15T08:00:00.000Z' })
    expect(await policyOf(once.id)).toMatchObject({ next_rotation_at: '2024-05-01T00:00:00.000Z' })
  })

  describe('changing the policy', () => {
    const put = (id: string, rotation_policy: unknown) =>
      scene.send(scene.admin, 'PUT', `/api-keys/${id}`, { rotation_policy })

    test('begins another period now, and keeps one that stays the same', async () => {
      const { id } = await scene.create({ rotation_policy: { rotation_period: 'weekly' } })
      const shown = await policyOf(id)
      scene.clock.advance(DAY_MS)
      // As it was read, as it was made, and with another transition.
      for (const same of [
        shown,
        { rotation_period: 'weekly' },
        { ...Object(shown), key_transition_period_ms: HOUR_MS },
      ]) {
        expect((await put(id, same)).status).toBe(200)
        expect(await policyOf(id)).toMatchObject({ next_rotation_at: '2024-02-07T12:00:00.000Z' })
      }
      expect(await policyOf(id)).toMatchObject({ key_transition_period_ms: HOUR_MS })
      await put(id, { rotation_period: 'monthly' })
      expect(await policyOf(id)).toEqual({ rotation_period: 'monthly', next_rotation_at: '2024-03-01T12:00:00.000Z' })
      await put(id, null)
      expect(await policyOf(id)).toBeNull()
      scene.clock.advance(100 * DAY_MS)
      await withRunner(async () => expect(events).toEqual([]))
    })

    test('a time that was read may be written back when it has come', async () => {
      const { id } = await scene.create({ rotation_policy: { next_rotation_at: '2024-02-10T00:00:00.000Z' } })
      until('2024-02-10T00:00:01.000Z')
      expect((await put(id, { next_rotation_at: '2024-02-10T01:00:00+01:00' })).status).toBe(200)
      expect(refusal(await put(id, { next_rotation_at: '2024-02-09T00:00:00Z' }))).toEqual([
        400,
        'AB01',
        'rotation_policy.next_rotation_at',
      ])
    })

    test('refuses two choices, a transition as long as the period, and what the environment sets', async () => {
      const { id } = await scene.create({ rotation_policy: { rotation_period: 'weekly' } })
      const before = await scene.read(id)
      for (const [policy, field] of [
        [{ rotation_period: 'weekly', rotation_period_days: 7 }, 'rotation_policy'],
        [{ rotation_period: 'weekly', next_rotation_at: '2024-02-08T12:00:00Z' }, 'rotation_policy'],
        [{ rotation_period: 'monthly', next_rotation_at: '2024-02-07T12:00:00Z' }, 'rotation_policy'],
        [{ key_transition_period_ms: HOUR_MS }, 'rotation_policy'],
        [{ rotation_period_days: 0 }, 'rotation_policy.rotation_period_days'],
        [{ rotation_period: 'weekly', key_transition_period_ms: 7 * DAY_MS }, TRANSITION],
        [{ next_rotation_at: '2024-02-01T12:00:00Z', key_transition_period_ms: DAY_MS }, TRANSITION],
        [{ next_rotation_at: '2023-02-29T12:00:00Z' }, 'rotation_policy.next_rotation_at'],
      ] as const) {
        expect(refusal(await put(id, policy))).toEqual([400, 'AB01', field])
      }
      expect(await scene.read(id)).toEqual(before)
      await apiKeyRows.update(store().db, { id, preset: 'api' })
      expect(refusal(await put(id, { rotation_period_days: 3 }))).toEqual([400, 'AB01', 'rotation_policy'])
      expect((await put(id, null)).status).toBe(200)
    })
  })

  describe('who may collect', () => {
    test('those who may rotate the key, and have what it has', async () => {
      const scopes = ['completions.write', 'logs.view']
      const { id } = await scene.create({ scopes, rotation_policy: { rotation_period_days: 7 } })
      scene.clock.advance(7 * DAY_MS)
      await withRunner(async () => undefined)
      const holding = (...held: readonly string[]) => ({ ...scene.service, scopes: new Set(held) })
      const rotate = 'workspace_service_api_keys.rotate'
      for (const [caller, status] of [
        [scene.user, 403],
        [scene.neighbour, 404],
        [scene.stranger, 404],
        [holding(...scopes), 403],
        [holding('workspace_user_api_keys.rotate', ...scopes), 403],
        [holding(rotate, 'logs.view'), 403],
      ] as const) {
        expect((await collect(id, caller)).status).toBe(status)
      }
      expect((await collect(id, holding(rotate, ...scopes))).status).toBe(200)
    })

    test('of two at once one', async () => {
      const { id } = await scene.create({ rotation_policy: { rotation_period_days: 7 } })
      scene.clock.advance(7 * DAY_MS)
      await withRunner(async () => undefined)
      const answers = await Promise.all(Array.from({ length: 5 }, () => collect(id)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
    })
  })

  test('a secret that waits goes with its key, and with a rotation by hand', async () => {
    const policy = { rotation_policy: { rotation_period_days: 7 } }
    const [gone, late] = [await scene.create(policy), await scene.create(policy)]
    scene.clock.advance(7 * DAY_MS)
    await withRunner(async () => undefined)
    const rotate = () => scene.send(scene.admin, 'POST', `/api-keys/${late.id}/rotate`)
    expect(
      refusal(
        await apiKeyRows
          .update(store().db, { id: late.id, previousExpiresAt: new Date(Date.now() + DAY_MS) })
          .then(rotate),
      ),
    ).toEqual([409, 'AB07', null])
    await scene.send(scene.admin, 'DELETE', `/api-keys/${gone.id}`)
    expect(await readRotatedSecret(store().db, gone.id)).toBeUndefined()
    await apiKeyRows.update(store().db, { id: late.id, previousExpiresAt: new Date(scene.clock.now()) })
    expect((await rotate()).status).toBe(200)
    expect(await readRotatedSecret(store().db, late.id)).toBeUndefined()
    expect(refusal(await collect(late.id))).toEqual([404, 'AB08', null])
  })
})

const TRANSITION = 'rotation_policy.key_transition_period_ms'
