import { describe, expect, test } from 'bun:test'
import { callIntoSilence, chargeOf, createLimitWorld, fill } from '../test-support/limit-world.ts'
import { CONNECTION_LOST, NOT_CONNECTED, READONLY, replyError } from '../test-support/scripted-store.ts'
import { reasonOf } from './outage.ts'

describe('an outage', () => {
  test('begins with the fifth failure; then nobody waits or asks', async () => {
    const world = createLimitWorld()
    for (let call = 0; call < 4; call += 1) await callIntoSilence(world)
    expect(world.store.state).toBe('shared')
    await callIntoSilence(world)
    expect(world.store.state).toBe('local')
    expect(world.store.admit([chargeOf()])).not.toBeInstanceOf(Promise)
    expect(world.shared.asked.admit).toBe(5)
  })

  test('is probed each 500 ms, one at a time', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    world.shared.mode = 'hang'
    await world.time.advance(499)
    expect(world.shared.probes).toBe(0)
    await world.time.advance(1)
    expect(world.shared.probes).toBe(1)
    await world.time.advance(539)
    expect(world.shared.probes).toBe(1)
    await world.time.advance(1)
    expect(world.shared.probes).toBe(2)
    expect(world.store.state).toBe('local')
  })

  test('is not over for a server that answers and takes no writes', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    world.shared.mode = READONLY
    await world.time.advance(5_000)
    expect(world.store.state).toBe('local')
  })

  test('ends with the merge of what was counted here, bucket by bucket, and without what was only seen', async () => {
    const world = createLimitWorld()
    for (let call = 0; call < 4; call += 1) await world.store.admit([chargeOf()])
    await world.fallAway(READONLY)
    world.shared.mode = 'hang'
    const { index: first } = (await world.store.admit([chargeOf()])).verdicts[0] ?? { index: 0 }
    await world.time.advance(200)
    await world.store.admit([chargeOf({ weight: 2 })])
    world.shared.mode = 'answer'
    await world.time.advance(300)
    expect(world.store.state).toBe('shared')
    expect(world.shared.merged).toMatchObject([
      [
        {
          buckets: [
            [first, 1],
            [first + 2, 2],
          ],
        },
      ],
    ])
    expect(world.shared.used(chargeOf())).toBe(7)
    expect(await fill(world)).toBe(3)
  })

  test('goes on when the merge fails, and nothing of it is lost', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    await world.store.admit([chargeOf({ weight: 6 })])
    const { merge } = world.shared.store
    let failures = 0
    Object.assign(world.shared.store, {
      merge: (...additions: Parameters<typeof merge>) => {
        if (failures === 2) return merge(...additions)
        failures += 1
        return Promise.reject(READONLY)
      },
    })
    world.shared.mode = 'answer'
    await world.time.advance(1_000)
    expect(world.store.state).toBe('local')
    await world.time.advance(500)
    expect(world.store.state).toBe('shared')
    expect(world.shared.used(chargeOf())).toBe(6)
  })

  test('a second one begins with the merged counts, and frees what the first needed', async () => {
    const world = createLimitWorld(() => 2)
    await world.fallAway()
    expect(await fill(world)).toBe(5)
    await world.comeBack()
    await world.time.advance(5)
    expect(world.memory.size).toBe(0)
    await world.fallAway()
    expect(await fill(world)).toBe(2)
  })

  test('is told to the operator once when it begins and once when it ends, with what happened meanwhile', async () => {
    const world = createLimitWorld()
    await world.fallAway(READONLY)
    for (let call = 0; call < 20; call += 1) await world.store.admit([chargeOf()])
    await world.comeBack()
    expect(world.lines).toEqual([
      {
        level: 'warn',
        message: 'rate limits are counted by each process alone: the shared store does not answer',
        fields: { reason: 'READONLY' },
      },
      {
        level: 'warn',
        message: 'rate limits are shared again',
        fields: { callsDecidedMeanwhile: 25, settlementsDroppedSinceStart: 0, ringsDroppedSinceStart: 0 },
      },
    ])
  })

  test('single failures are not worth a line', async () => {
    const world = createLimitWorld()
    await callIntoSilence(world)
    await world.time.advance(5_000)
    expect(world.lines).toEqual([])
  })
})

test.each([
  ['READONLY', replyError("READONLY You can't write against a read only replica. script: 1, on @user_script:9.")],
  ['OOM', replyError("OOM command not allowed when used memory > 'maxmemory'.")],
  ['LOADING', replyError('LOADING Redis is loading the dataset in memory')],
  ['error reply', replyError('wrong')],
  ['not connected', NOT_CONNECTED],
  ['not connected', new Error("Cluster isn't ready and enableOfflineQueue options is false")],
  ['not connected', new Error('Too many Cluster redirections. Last error: ReplyError: MOVED 1 127.0.0.1:1')],
  ['connection lost', CONNECTION_LOST],
  ['no reply', new Error('Command timed out')],
  ['no reply', undefined],
])('its reason is a word for the log: %s', (reason, error) => {
  expect(reasonOf(error)).toBe(reason)
})
