import type { Family } from '../../observe/metrics/registry.ts'
import { within } from '../../timing/within.ts'
import type { Environment } from '../terminal/environment.ts'
import { type FromWorker, type MessageOf, ROLE_VARIABLE, type ToWorker, type WorkerRole } from './messages.ts'

/** Milliseconds that the supervisor has to tell the numbers of all workers. */
const NUMBERS_MS = 3_000

/** A worker's side of the channel to its supervisor. */
export interface SupervisorLink {
  readonly role: WorkerRole
  /** Resolves when it is on its way. Never throws: who is not there hears nothing. */
  send(message: FromWorker): Promise<void>
  /** Calls the listener for every message of this kind from now on. */
  on<Kind extends ToWorker['kind']>(kind: Kind, listener: (message: MessageOf<ToWorker, Kind>) => void): void
  /** The numbers of all workers; undefined when the supervisor does not answer. */
  numbersOfAll(): Promise<readonly Family[] | undefined>
  /** Calls the listener when the supervisor is gone. */
  onEnd(listener: () => void): void
}

/** The link of a process that a supervisor started; undefined in any other. */
export const supervisorLink = ({ env, supervisor }: Environment): SupervisorLink | undefined => {
  const text = env[ROLE_VARIABLE]
  if (supervisor === undefined || text === undefined) return undefined
  const role: WorkerRole = JSON.parse(text)
  const listeners = new Map<string, ((message: ToWorker) => void)[]>()
  supervisor.onMessage((message: ToWorker) => {
    for (const listener of listeners.get(message.kind) ?? []) listener(message)
  })
  const link: SupervisorLink = {
    role,
    send: (message) => supervisor.send(message),
    on<Kind extends ToWorker['kind']>(kind: Kind, listener: (message: MessageOf<ToWorker, Kind>) => void) {
      const isOfKind = (message: ToWorker): message is MessageOf<ToWorker, Kind> => message.kind === kind
      const heard = listeners.get(kind) ?? []
      heard.push((message) => {
        if (isOfKind(message)) listener(message)
      })
      listeners.set(kind, heard)
    },
    async numbersOfAll() {
      const { promise, resolve } = Promise.withResolvers<readonly Family[]>()
      waiting.push(resolve)
      await supervisor.send({ kind: 'ask' } satisfies FromWorker)
      return within(promise, NUMBERS_MS)
    },
    onEnd: supervisor.onEnd,
  }
  // Whoever asked a little later has no older numbers than it asked for by much.
  const waiting: ((families: readonly Family[]) => void)[] = []
  link.on('numbers', ({ families }) => {
    for (const resolve of waiting.splice(0)) resolve(families)
  })
  return link
}
