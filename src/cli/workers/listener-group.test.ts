import { expect, test } from 'bun:test'
import { createListenerGroup } from './listener-group.ts'
import type { FromWorker, MessageOf, ToWorker } from './messages.ts'
import type { WorkerProcess } from './spawn-worker.ts'

/** What workers were told, in its order. */
type Told = [name: number, ...what: unknown[]][]

/** A worker that does what it is told at once. */
const worker = (id: number, told: Told, steers = true): WorkerProcess => {
  const waiting = new Map<string, (message: FromWorker) => void>()
  const answer = (message: FromWorker): void => waiting.get(message.kind)?.(message)
  return {
    id,
    pid: id,
    exited: new Promise(() => undefined),
    written: Promise.resolve(),
    send(message: ToWorker) {
      told.push(message.kind === 'steer' ? [id, message.kind, message.places] : [id, message.kind])
      if (message.kind === 'listen') answer({ kind: 'listening' })
      if (message.kind === 'steer') answer({ kind: 'steered', done: steers })
      if (message.kind === 'retire') answer({ kind: 'unused' })
      if (message.kind === 'leave') answer({ kind: 'left' })
    },
    next: <Kind extends FromWorker['kind']>(kind: Kind) =>
      new Promise<MessageOf<FromWorker, Kind>>((resolve) => {
        const isOfKind = (message: FromWorker): message is MessageOf<FromWorker, Kind> => message.kind === kind
        waiting.set(kind, (message) => {
          if (isOfKind(message)) resolve(message)
        })
      }),
    stop: () => undefined,
    kill: () => undefined,
  }
}

const group = () => {
  const unsteered: string[] = []
  return {
    unsteered,
    listeners: createListenerGroup({ host: 'h', port: 1, onUnsteered: () => unsteered.push('once') }),
  }
}

test('new connections are kept from a worker before it retires, and brought to all again when it has left', async () => {
  const told: Told = []
  const { listeners, unsteered } = group()
  const [old, other, fresh] = [worker(1, told), worker(2, told), worker(3, told)]
  for (const each of [old, other, fresh]) expect(await listeners.join(each)).toBe(true)
  expect(told.splice(0)).toEqual([
    [1, 'listen'],
    [2, 'listen'],
    [3, 'listen'],
  ])
  await listeners.retire(old)
  expect(told).toEqual([
    [2, 'steer', [1, 2]],
    [1, 'retire'],
    [1, 'leave'],
    [3, 'steer', []],
  ])
  expect(unsteered).toEqual([])
})

test('while one retires, a worker that joins is among those that connections come to, and the last takes the place of one that died', async () => {
  const told: Told = []
  const { listeners } = group()
  const [old, other, fresh] = [worker(1, told), worker(2, told), worker(3, told)]
  for (const each of [old, other]) await listeners.join(each)
  const retired = listeners.retire(old)
  await listeners.join(fresh)
  expect(told.filter(([, kind]) => kind === 'steer').at(-1)).toEqual([2, 'steer', [1, 2]])
  listeners.ended(old)
  await retired
  // Of the three the last, 3, stands in the place of 1 now.
  expect(told.find(([name, kind]) => kind === 'steer' && name === 3)).toEqual([3, 'steer', []])
})

test('a kernel that cannot be told where connections go is warned of', async () => {
  const told: Told = []
  const { listeners, unsteered } = group()
  const [old, fresh] = [worker(1, told, false), worker(2, told, false)]
  for (const each of [old, fresh]) await listeners.join(each)
  await listeners.retire(old)
  expect(unsteered).toEqual(['once'])
})
