import { parseJson } from '../core/json/json-depth.ts'
import { isRecord } from '../core/json/record.ts'
import type { Clock, Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import { StoreUnavailable } from '../errors/gateway-error.ts'
import type { KeptResponse, KeptResponses, ResponseToKeep } from '../kit/kept-responses.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { StoreUnavailable as StoreAway } from '../store/errors.ts'
import {
  clearExpiredResponses,
  deleteKeptResponse,
  findConversation,
  findKeptResponse,
  insertKeptResponse,
  type SealedResponse,
} from '../store/objects/kept-responses.ts'
import type { Store } from '../store/types.ts'
import { within } from '../timing/within.ts'

export interface KeptResponsesOptions {
  readonly store: Pick<Store, 'db'>
  readonly secretBox: SecretBox
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Logger
  /** Most responses, and bytes of them, that wait to be written. */
  readonly maxWaiting?: number
  readonly maxWaitingBytes?: number
}

const MAX_WAITING = 1_000
const MAX_WAITING_BYTES = 64 * 1024 * 1024
/** Milliseconds until what has expired is removed the first time, and between two times. */
const FIRST_CLEAR_MS = 60 * 1000
const CLEAR_MS = 60 * 60 * 1000
/** Milliseconds that what still waits gets at the end. */
const CLOSE_MS = 5_000
/** Milliseconds between two lines about responses that were lost. */
const LOG_MS = 60_000
/** What a seal belongs to, besides its response. */
const FIELD = 'kept-response'

/** Responses in the database. They are written one after the other, behind the calls. */
export const createKeptResponses = (options: KeptResponsesOptions): KeptResponses & { close(): Promise<void> } => {
  const { store, secretBox, clock, log, maxWaiting = MAX_WAITING, maxWaitingBytes = MAX_WAITING_BYTES } = options
  const waiting = new Map<string, ResponseToKeep>()
  let waitingBytes = 0
  let writing: Promise<void> | undefined
  let lost = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  const lose = (fields: Readonly<Record<string, unknown>>): void => {
    lost++
    if (clock.monotonicMs() - loggedAt < LOG_MS) return
    loggedAt = clock.monotonicMs()
    log.warn('responses could not be kept', { responses: lost, ...fields })
    lost = 0
  }

  const write = async (response: ResponseToKeep): Promise<void> => {
    const { id, organisationId, workspaceId, previousId = null, forMs } = response
    const text = JSON.stringify(response.read())
    await store.db.transaction(async (transaction) => {
      const sealed = await secretBox.seal(transaction, organisationId, id, FIELD, text)
      await insertKeptResponse(transaction, { id, organisationId, workspaceId, previousId, sealed }, forMs)
    })
  }

  const writeAll = async (): Promise<void> => {
    for (let next = first(waiting); next !== undefined; next = first(waiting)) {
      const [key, response] = next
      await write(response).catch((thrown: unknown) => lose(errorFields(thrown)))
      // One that was deleted meanwhile is not there any more, and must not come back.
      if (waiting.delete(key)) waitingBytes -= response.bytes
      else await deleteKeptResponse(store.db, response.workspaceId, response.id).catch(() => undefined)
    }
    writing = undefined
  }

  const opened = async ({ id, organisationId, previousId, sealed }: SealedResponse): Promise<KeptResponse> => {
    const value = parseJson(await secretBox.open(organisationId, id, FIELD, sealed))
    const { input, response } = isRecord(value) ? value : {}
    return {
      id,
      previousId: previousId ?? undefined,
      input: Array.isArray(input) ? input.filter(isRecord) : [],
      response: isRecord(response) ? response : {},
    }
  }

  const clear = (): void => {
    clearExpiredResponses(store.db).catch((thrown: unknown) =>
      log.warn('responses that have expired could not be removed', errorFields(thrown)),
    )
  }
  const timers = [setTimeout(clear, FIRST_CLEAR_MS), setInterval(clear, CLEAR_MS)]
  for (const timer of timers) timer.unref()

  return {
    keep(response) {
      if (waiting.size >= maxWaiting || waitingBytes + response.bytes > maxWaitingBytes) {
        lose({ waiting: waiting.size })
        return
      }
      const key = keyOf(response.workspaceId, response.id)
      if (waiting.has(key)) return
      waiting.set(key, response)
      waitingBytes += response.bytes
      writing ??= Promise.resolve().then(writeAll)
    },
    find: (workspaceId, id) =>
      forCalls(async () => {
        const soon = waiting.get(keyOf(workspaceId, id))
        if (soon !== undefined) return { id, previousId: soon.previousId, ...soon.read() }
        const row = await findKeptResponse(store.db, workspaceId, id)
        return row && (await opened(row))
      }),
    conversation: (workspaceId, id) =>
      forCalls(async () => {
        const newest: KeptResponse[] = []
        let at: string | undefined = id
        for (let soon = waiting.get(keyOf(workspaceId, id)); soon !== undefined; ) {
          newest.unshift({ id: soon.id, previousId: soon.previousId, ...soon.read() })
          at = soon.previousId
          soon = at === undefined ? undefined : waiting.get(keyOf(workspaceId, at))
        }
        if (at === undefined) return newest
        const rows = await findConversation(store.db, workspaceId, at)
        if (rows.length === 0) return []
        return [...(await Promise.all(rows.map(opened))), ...newest]
      }),
    delete: (workspaceId, id) =>
      forCalls(async () => {
        const key = keyOf(workspaceId, id)
        const soon = waiting.get(key)
        if (soon !== undefined) {
          waiting.delete(key)
          waitingBytes -= soon.bytes
        }
        const isGone = await deleteKeptResponse(store.db, workspaceId, id)
        return isGone || soon !== undefined
      }),
    async close() {
      for (const timer of timers) clearTimeout(timer)
      if (writing !== undefined) await within(writing, CLOSE_MS)
    },
  }
}

const keyOf = (workspaceId: string, id: string): string => `${workspaceId} ${id}`

const first = <Key, Value>(map: ReadonlyMap<Key, Value>): readonly [Key, Value] | undefined => {
  for (const entry of map) return entry
  return undefined
}

const forCalls = async <Found>(find: () => Promise<Found>): Promise<Found> => {
  try {
    return await find()
  } catch (thrown) {
    if (!(thrown instanceof StoreAway)) throw thrown
    throw new StoreUnavailable('Kept responses cannot be looked up now: the database does not answer.', {
      cause: thrown,
      retryAfterMs: 1000,
    })
  }
}
