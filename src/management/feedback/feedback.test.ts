import { beforeEach, describe, expect, test } from 'bun:test'
import { createFold } from '../../../test/support/records/fold.ts'
import { createDirectRecorder } from '../../../test/support/records/recorder.ts'
import type { FeedbackRecord } from '../../core/records.ts'
import { ManagementForbidden, ManagementInvalid, ManagementNotFound } from '../../errors/gateway-error.ts'
import { rejection } from '../../store/testing.ts'
import type { Actor } from '../actor.ts'
import { createFeedback, type Feedback } from './service.ts'

const KEY_ID = '0198c5d2-0000-7000-8000-00000000000a'
const actor: Actor = {
  kind: 'workspace-user',
  id: KEY_ID,
  name: 'a key',
  organisationId: 'ours',
  workspaceId: 'first',
  scopes: new Set(['logs.write']),
}

describe('feedback', () => {
  let fold: ReturnType<typeof createFold>
  let recorder: ReturnType<typeof createDirectRecorder>
  let kept: FeedbackRecord[]
  let feedback: Feedback
  /** Stands still, so that only the order of the changes can tell which is the last. */
  const now = Date.now()

  beforeEach(() => {
    fold = createFold()
    kept = []
    const direct = createDirectRecorder(fold)
    recorder = {
      ...direct,
      feedback(rows) {
        kept.push(...rows)
        direct.feedback(rows)
      },
    }
    feedback = createFeedback({ now: () => now, randomId: () => Bun.randomUUIDv7(), records: fold, recorder })
  })

  /** A recorder whose rows are in the store only when somebody waits for them. */
  const late = (): typeof recorder => {
    const waiting: FeedbackRecord[] = []
    return {
      ...recorder,
      feedback: (rows) => void waiting.push(...rows),
      async stored(withinMs) {
        recorder.feedback(waiting.splice(0))
        return recorder.stored(withinMs)
      },
    }
  }
  const stored = async (id: string): Promise<FeedbackRecord | undefined> => {
    await recorder.stored(1_000)
    return fold.feedback('ours', id)
  }

  test('is kept with its labels as texts, in the order in which it was given', async () => {
    const ids = await feedback.add(actor, [
      { trace_id: 'one', value: -10, weight: 0.25, metadata: { by: 'a'.repeat(200), stars: 4, tags: ['x'], no: null } },
      { trace_id: 'two', value: 10 },
    ])
    expect(kept.map(({ id, traceId }) => [id, traceId])).toEqual([
      [ids[0] ?? '', 'one'],
      [ids[1] ?? '', 'two'],
    ])
    expect(kept[0]).toMatchObject({
      organisationId: 'ours',
      workspaceId: 'first',
      apiKeyId: KEY_ID,
      time: now * 1000,
      value: -10,
      weight: 0.25,
      metadata: { by: 'a'.repeat(128), stars: '4', tags: '["x"]', no: 'null' },
    })
    expect(kept[1]).toMatchObject({ time: now * 1000 + 1, weight: 1, metadata: {} })
  })

  test.each([
    [-0.1, 1],
    [1.1, 1],
    [1e300, 1],
    [0, 0],
    [1, 1],
  ])('a weight of %p counts as %p', async (weight, counted) => {
    await feedback.add(actor, [{ trace_id: 'one', value: 1, weight }])
    expect(kept[0]?.weight).toBe(counted)
  })

  test('a trace is named as the header of its calls can name it', async () => {
    await feedback.add(actor, [{ trace_id: `\u{1f600}a${'b'.repeat(300)}`, value: 1 }])
    expect(kept[0]?.traceId).toBe(`a${'b'.repeat(255)}`)
    const refused = await rejection(feedback.add(actor, [{ trace_id: '\u{1f600}', value: 1 }]))
    expect(refused).toBeInstanceOf(ManagementInvalid)
    expect(kept).toHaveLength(1)
  })

  test('can be changed at once, again and again: the last word counts', async () => {
    const [id = ''] = await feedback.add(actor, [{ trace_id: 'one', value: 1, metadata: { by: 'ann' } }])
    await feedback.change(actor, id.toUpperCase(), { value: 2, weight: 0.5 })
    await feedback.change(actor, id, { value: 3, feedback_id: id, trace_id: 'one' })
    expect(await stored(id)).toMatchObject({ traceId: 'one', value: 3, weight: 1, metadata: { by: 'ann' } })
    await feedback.change(actor, id, { value: 4, metadata: {} })
    expect(await stored(id)).toMatchObject({ value: 4, metadata: {} })
    expect(new Set(kept.map(({ time }) => time)).size).toBe(4)
  })

  test('of long ago, changed twice at once, keeps what the first change said', async () => {
    const old = '0198c5d2-0000-7feb-8000-00000000000b'
    feedback = createFeedback({ now: () => now, randomId: () => old, records: fold, recorder: late() })
    await feedback.add(actor, [{ trace_id: 'one', value: 1 }])
    await feedback.change(actor, old, { value: 2, metadata: { by: 'bob' } })
    await feedback.change(actor, old, { value: 3 })
    expect(await stored(old)).toMatchObject({ value: 2 })
    await feedback.change(actor, old, { value: 4 })
    expect(await stored(old)).toMatchObject({ value: 3, metadata: { by: 'bob' } })
  })

  test('of another process is waited for while it may be on its way', async () => {
    const [id = ''] = await feedback.add(actor, [{ trace_id: 'one', value: 1 }])
    kept.length = 0
    const row: FeedbackRecord = {
      id,
      time: now * 1000 + 5_000,
      organisationId: 'ours',
      workspaceId: 'first',
      traceId: 'one',
      value: 1,
      weight: 1,
      metadata: {},
    }
    let asked = 0
    const records = { ...fold, feedback: async () => (++asked < 3 ? undefined : row) }
    feedback = createFeedback({ now: () => now, randomId: () => Bun.randomUUIDv7(), records, recorder })
    await feedback.change(actor, id, { value: 2 })
    // Behind the row that it changes, although that was made by a clock which is ahead.
    expect(kept[0]).toEqual({ ...row, value: 2, time: row.time + 1 })
  })

  test('of another workspace, or of nobody, is not there', async () => {
    const [id = ''] = await feedback.add(actor, [{ trace_id: 'one', value: 1 }])
    for (const stranger of [{ workspaceId: 'second' }, { organisationId: 'theirs' }]) {
      const refused = await rejection(feedback.change({ ...actor, ...stranger }, id, { value: 2 }))
      expect(refused).toBeInstanceOf(ManagementNotFound)
    }
    expect(kept).toHaveLength(1)
  })

  test('that was given long ago, and what is no feedback, is looked for once', async () => {
    let asked = 0
    const records = {
      ...fold,
      feedback: async () => {
        asked++
        return undefined
      },
    }
    feedback = createFeedback({ now: () => now, randomId: () => Bun.randomUUIDv7(), records, recorder })
    for (const reference of ['nonsense', '', Bun.randomUUIDv7(), '0198c5d2-0000-7feb-8000-0000000000ff']) {
      expect(await rejection(feedback.change(actor, reference, { value: 2 }))).toBeInstanceOf(ManagementNotFound)
    }
    // The first two are no ids.
    expect(asked).toBe(2)
  })

  test('never changes its trace or its id', async () => {
    const [id = ''] = await feedback.add(actor, [{ trace_id: 'one', value: 1 }])
    for (const change of [{ trace_id: 'two' }, { feedback_id: KEY_ID }]) {
      expect(await rejection(feedback.change(actor, id, { value: 2, ...change }))).toBeInstanceOf(ManagementInvalid)
    }
    expect(kept).toHaveLength(1)
  })

  test('is given by keys of a workspace alone', async () => {
    const { workspaceId: _, ...organisation } = actor
    const refused = await rejection(feedback.add(organisation, [{ trace_id: 'one', value: 1 }]))
    expect(refused).toBeInstanceOf(ManagementForbidden)
  })
})
