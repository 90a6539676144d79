import { expect, test } from 'bun:test'
import { createCounters } from '../../budgets/counters.ts'
import type { Check } from '../redis/admit-run.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import { chargeOf } from '../test-support/limit-world.ts'
import { createManualTime } from '../test-support/manual-time.ts'
import { createScriptedStore } from '../test-support/scripted-store.ts'
import { type AskedCall, createGatheredChecks } from './gathered-checks.ts'

const created = (kind: RedisStore['kind'] = 'single') => {
  const time = createManualTime()
  const { store } = createScriptedStore(time.clock.now)
  const sent: (readonly Check[])[] = []
  const answers: { admitAll: RedisStore['admitAll'] } = { admitAll: store.admitAll }
  const ask = createGatheredChecks({
    shared: {
      ...store,
      kind,
      admitAll(asked) {
        sent.push(asked)
        return answers.admitAll(asked)
      },
    },
    counts: { ask: () => [] },
    deadlineMs: 40,
    timers: time.timers,
    monotonicMs: time.clock.monotonicMs,
    conclude(_call, _asked, outcome) {
      if (outcome.kind !== 'reply') throw new Error(outcome.kind)
      return { ...outcome.value, origin: 'shared' }
    },
  })
  /** The ids of the workspaces whose calls went together. */
  const workspaces = () => sent.map((asked) => asked.map(({ charges: [charge] }) => charge?.key.workspaceId))
  return { time, ask, sent, answers, workspaces }
}

const callOf = (workspaceId = 'workspace', weight = 1): AskedCall => ({
  charges: [chargeOf({ workspaceId, weight })],
  claims: [],
})

test('a call alone goes at once; those of one round after it go together, and each gets its own answer', async () => {
  const { ask, workspaces } = created()
  const asked = Promise.all([callOf('b'), callOf('a'), callOf('b'), callOf('a', 2)].map(ask))
  expect(workspaces()).toEqual([['b']])
  expect((await asked).map(({ verdicts }) => verdicts[0]?.used)).toEqual([1, 1, 2, 3])
  expect(workspaces()).toEqual([['b'], ['a', 'b', 'a']])
  await ask(callOf('b'))
  expect(workspaces()).toEqual([['b'], ['a', 'b', 'a'], ['b']])
})

test('in a Cluster those of one workspace do', async () => {
  const { ask, workspaces } = created('cluster')
  await Promise.all(['first', 'a', 'b', 'a'].map((workspaceId) => ask(callOf(workspaceId))))
  expect(workspaces()).toEqual([['first'], ['a', 'a'], ['b']])
})

test('so many that a script would take long do not wait for others', async () => {
  const { ask, sent } = created()
  const asked = Array.from({ length: 66 }, () => ask(callOf()))
  expect(sent.map(({ length }) => length)).toEqual([1, 64])
  await Promise.all(asked)
  expect(sent.map(({ length }) => length)).toEqual([1, 64, 1])
})

test('a call that fails alone fails alone; an answer that does not come is late for all', async () => {
  const { ask, answers, time } = created()
  const { admitAll } = answers
  answers.admitAll = async (asked) =>
    (await admitAll(asked)).map((each, place) => (place === 1 ? new Error('WRONGTYPE') : each))
  const settled = await Promise.allSettled(Array.from({ length: 4 }, () => ask(callOf())))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  answers.admitAll = () => Promise.withResolvers<never>().promise
  const late = Promise.allSettled([ask(callOf()), ask(callOf())])
  await time.advance(40)
  expect((await late).map((each) => String(each.status === 'rejected' && each.reason.message))).toEqual([
    'late',
    'late',
  ])
})

test('a call that something is held back for waits for a late answer; others of its command do not', async () => {
  const { ask, answers, time } = created()
  const { admitAll } = answers
  const counter = createCounters({ clock: time.clock }).of(
    { workspaceId: 'workspace', budgetId: 'budget', group: 'group', startMs: 0 },
    { type: 'tokens', label: '[]' },
  )
  const claims = [{ counter, limit: 10, weight: 1, shadow: false }]
  const soft = [{ counter, limit: 10, weight: 0, shadow: false }]
  const reply = Promise.withResolvers<void>()
  answers.admitAll = async (asked) => {
    await reply.promise
    return admitAll(asked.map((each) => ({ ...each, claims: [] })))
  }
  void ask(callOf()).catch(() => undefined)
  const settled: string[] = []
  const calls = { plain: callOf(), held: { ...callOf(), claims }, soft: { ...callOf(), claims: soft } }
  const asked = Object.entries(calls).map(([name, call]) =>
    ask(call).then(
      () => settled.push(`${name} was answered`),
      (thrown: Error) => settled.push(`${name} was ${thrown.message}`),
    ),
  )
  await time.advance(40)
  expect(settled.toSorted()).toEqual(['plain was late', 'soft was late'])
  await time.advance(500)
  reply.resolve()
  await Promise.all(asked)
  expect(settled).toContain('held was answered')
  answers.admitAll = () => Promise.withResolvers<never>().promise
  const late = ask({ ...callOf(), claims }).catch((thrown: Error) => thrown.message)
  await time.advance(1_000)
  expect(await late).toBe('late')
})
