import type { CallRecord, CallRecorder, OpenedCall, RecordedMessage } from '../../../src/core/records.ts'

/** A recorder that keeps in memory what it is told, in order. */
export interface KeepingRecorder extends CallRecorder {
  readonly opened: OpenedCall[]
  /** Records of each call that ended: its own first, then those of its attempts. */
  readonly closed: (readonly CallRecord[])[]
  readonly messages: ReadonlyMap<string, readonly RecordedMessage[]>[]
  /** The records of a call, once it has ended. Rejects after 5 s. */
  of(callId: string): Promise<readonly CallRecord[]>
}

export const createKeepingRecorder = (): KeepingRecorder => {
  const recorder: Omit<KeepingRecorder, keyof CallRecorder | 'of'> = { opened: [], closed: [], messages: [] }
  const watchers = new Set<() => void>()
  const { opened, closed, messages } = recorder
  return {
    ...recorder,
    prepare: () => undefined,
    open: (call) => void opened.push(call),
    announce: () => () => undefined,
    close(records, kept) {
      closed.push(records)
      if (kept !== undefined) messages.push(kept)
      for (const watcher of watchers) watcher()
    },
    durable: () => undefined,
    feedback: () => undefined,
    stored: async () => true,
    of: (callId) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer)
          watchers.delete(look)
        }
        const timer = setTimeout(() => {
          end()
          reject(new Error(`no record of ${callId} among: ${JSON.stringify(closed)}`))
        }, 5_000)
        const look = (): void => {
          const found = closed.find(([record]) => record?.id === callId)
          if (found === undefined) return
          end()
          resolve(found)
        }
        watchers.add(look)
        look()
      }),
  }
}
