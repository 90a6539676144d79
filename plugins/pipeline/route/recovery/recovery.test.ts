import { describe, expect, test } from 'bun:test'
import { assistantPrefix } from '#calls/slots'
import { type Answer, ClientClosed, StreamTruncated } from '#kit'
import { attempts, target } from '#kit/slots'
import { ask, type Behaviour, createWorld, fails, good, streamOf, textOf } from '../../../../test/support/routing.ts'
import type { Recovery } from './recovery.ts'

const CUT = new StreamTruncated('cut')

const chain = (recovery: string, names: readonly string[] = ['a', 'b', 'c'], strategy = {}) => ({
  strategy: { mode: 'fallback', stream_recovery: recovery, ...strategy },
  targets: names.map((provider) => ({ provider })),
})

const streaming =
  (pieces: readonly string[], thrown?: unknown): Behaviour =>
  (fork) => {
    fork.recordUsage({ inputTokens: 1, outputTokens: pieces.length, totalTokens: 1 + pieces.length })
    return { ...good(), body: streamOf(pieces, thrown) }
  }

/** What recovery was asked for, if it was. */
const caught = async (
  config: Record<string, unknown>,
  behaviours: Record<string, Behaviour>,
  options: Parameters<typeof createWorld>[0] = {},
): Promise<Awaited<ReturnType<typeof ask>> & { readonly recovery?: Recovery }> => {
  const seen: Recovery[] = []
  const world = createWorld({
    ...options,
    recover: (recovery) => {
      seen.push(recovery)
      return recovery.answer
    },
  })
  const call = await ask(config, behaviours, { world })
  const [recovery] = seen
  return recovery === undefined ? call : { ...call, recovery }
}

const recoveryOf = ({ recovery }: { readonly recovery?: Recovery }): Recovery => {
  if (recovery === undefined) throw new Error('nothing is to be recovered')
  return recovery
}

const text = async (answer: Answer | undefined): Promise<string | undefined> =>
  answer === undefined ? undefined : textOf({ answer } as Parameters<typeof textOf>[0])

describe('a stream may go on elsewhere', () => {
  test.each(['restart', 'continue'])('where the config says so: %s', async (mode) => {
    const call = await caught(chain(mode), { a: streaming(['x'], CUT) })
    expect(recoveryOf(call).mode).toBe(mode as Recovery['mode'])
  })

  test.each([
    ['the config wants an error', chain('error'), streaming(['x'])],
    ['there is no other target', chain('restart', ['a']), streaming(['x'])],
    ['the answer is no stream', chain('restart'), () => good()],
  ] as const)('but not when %s', async (_name, config, behaviour) => {
    expect((await caught(config, { a: behaviour })).recovery).toBeUndefined()
  })

  test('where neither says anything, by the word of the operator', async () => {
    const config = { strategy: { mode: 'fallback' }, targets: [{ provider: 'a' }, { provider: 'b' }] }
    const behaviours = { a: streaming(['x'], CUT) }
    expect(recoveryOf(await caught(config, behaviours)).mode).toBe('continue')
    const resilience = { useRetryAfterHeader: true, streamRecovery: 'error', skipMalformedEvent: true } as const
    expect((await caught(config, behaviours, { resilience })).recovery).toBeUndefined()
    expect(recoveryOf(await caught(chain('restart'), behaviours, { resilience })).mode).toBe('restart')
  })

  test('by the word of the fallback that would go on', async () => {
    const config = {
      strategy: { mode: 'fallback', stream_recovery: 'restart' },
      targets: [chain('continue', ['a', 'b']), { provider: 'c' }],
    }
    expect(recoveryOf(await caught(config, { a: streaming(['x']) })).mode).toBe('continue')
    expect(recoveryOf(await caught(config, { a: fails(500), b: streaming(['x']) })).mode).toBe('restart')
  })
})

describe('the next target', () => {
  test('is asked after the break, past those that fail, each with the text', async () => {
    const seen: unknown[] = []
    const noting =
      (behaviour: Behaviour): Behaviour =>
      (fork, count) => {
        seen.push(fork.find(assistantPrefix))
        return behaviour(fork, count)
      }
    const call = await caught(chain('continue'), {
      a: noting(streaming(['x'], CUT)),
      b: noting(fails(500)),
      c: noting(streaming(['y', 'z'])),
    })
    const next = await recoveryOf(call).nextTarget(CUT, 'said')
    expect(await text(next?.answer)).toBe('yz')
    expect([call.asked, next?.echo, seen]).toEqual([
      ['a', 'b', 'c'],
      undefined,
      [undefined, { text: 'said' }, { text: 'said' }],
    ])
    expect(call.call.get(target).provider.id).toBe('c')
    expect(call.call.find(attempts)?.map(({ provider, status }) => [provider, status])).toEqual([
      ['a', 200],
      ['b', 500],
      ['c', 200],
    ])
  })

  test('can break too, until none is left', async () => {
    const call = await caught(chain('restart'), {
      a: streaming(['x'], CUT),
      b: streaming(['y'], CUT),
      c: streaming(['z'], CUT),
    })
    const { nextTarget } = recoveryOf(call)
    expect(await nextTarget(CUT)).toBeDefined()
    expect(await nextTarget(CUT)).toBeDefined()
    expect(await nextTarget(CUT)).toBeUndefined()
    expect(call.asked).toEqual(['a', 'b', 'c'])
  })

  test('that fails is what is thrown when it was the last', async () => {
    const call = await caught(chain('restart', ['a', 'b']), { a: streaming(['x'], CUT), b: fails(503) })
    await expect(recoveryOf(call).nextTarget(CUT)).rejects.toMatchObject({ status: 503 })
  })

  test('is not asked when the client left, or after a failure that the config does not list', async () => {
    const behaviours = { a: streaming(['x'], CUT), b: streaming(['y']) }
    const left = recoveryOf(await caught(chain('restart'), behaviours))
    expect(await left.nextTarget(new ClientClosed('left'))).toBeUndefined()
    const listed = recoveryOf(await caught(chain('restart', ['a', 'b'], { on_status_codes: [429] }), behaviours))
    expect(await listed.nextTarget(CUT)).toBeUndefined()
  })

  test.each([
    ['continue', { inputTokens: 2, outputTokens: 3, totalTokens: 5 }],
    ['restart', { inputTokens: 1, outputTokens: 2, totalTokens: 3 }],
  ])('with `%s` the tokens of what the client did not get are left out', async (mode, usage) => {
    const call = await caught(chain(mode), { a: streaming(['x'], CUT), b: streaming(['y', 'z']) })
    await recoveryOf(call).nextTarget(CUT)
    expect(call.finish().usage).toEqual(usage)
  })

  test('takes nothing from a call that went on without it', async () => {
    const call = await caught(chain('continue', ['a', 'b'], { on_status_codes: [429] }), { a: streaming(['x'], CUT) })
    await recoveryOf(call).nextTarget(CUT)
    expect(call.finish().usage).toMatchObject({ totalTokens: 2 })
  })

  test('the stream that broke is let go', async () => {
    const broken = streamOf(['x'], CUT)
    const call = await caught(chain('restart'), { a: () => ({ ...good(), body: broken }), b: streaming(['y']) })
    await recoveryOf(call).nextTarget(CUT)
    expect(broken.cancelled).toBe(true)
  })
})
