import type { Clock, Logger } from '../../core/ports.ts'
import { errorFields } from '../../errors/error-fields.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import type { ApiKeyRecord } from '../../store/objects/api-keys.ts'
import {
  type DueKey,
  findDueRotations,
  findUncollected,
  holdDueRotation,
  holdUncollected,
} from '../../store/objects/key-rotation.ts'
import { readClock } from '../../store/objects/rows.ts'
import type { Db, Store } from '../../store/types.ts'
import { within } from '../../timing/within.ts'
import { appendSystemAudit } from '../system-audit.ts'
import { keyAnswer } from './answer.ts'
import { checkUncollected, rotateDueKey } from './rotation.ts'
import { keyEntry } from './routes.ts'

/** Something that a key went through by itself, and that its owner should hear of. */
export interface KeyRotationEvent {
  /**
   * `rotated`: a new secret waits to be collected. `uncollected`: it still does, and the old one ends after another time of
   * transition. `lapsed`: the old one has ended, and nobody has the new one, so that the key opens nothing.
   */
  readonly kind: 'rotated' | 'uncollected' | 'lapsed'
  /** Without any secret. */
  readonly key: ApiKeyRecord
  /** When the old secret ends, or ended. */
  readonly endsAt: Date
}

/**
 * Hears of an event in the transaction of what it tells of: what it stores there is stored once, or not at all. When it throws,
 * nothing has happened, and it is tried again.
 */
export type OnKeyRotation = (event: KeyRotationEvent, transaction: Db) => void | Promise<void>

export interface RotationRunnerOptions {
  readonly store: Pick<Store, 'db'>
  readonly secretBox: Pick<SecretBox, 'seal' | 'derive'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  readonly onRotation?: OnKeyRotation
  /** Milliseconds between two looks for keys that are due. */
  readonly pollMs?: number
}

export interface RotationRunner {
  /** Does what is due now; ends when it is done, or when the database cannot be asked. */
  run(): Promise<void>
  /** The key that is being rotated is the last one. */
  close(): Promise<void>
}

const POLL_MS = 5_000
const CLOSE_MS = 5_000
/** Keys found by one query. */
const BATCH = 100

/**
 * Rotates keys when their policies say so, from its start on. Of several processes on one database each takes other keys: a
 * key is rotated in a transaction that holds its row and moves its next time on.
 */
export const createRotationRunner = (options: RotationRunnerOptions): RotationRunner => {
  const { store, secretBox, clock, log, onRotation = () => undefined, pollMs = POLL_MS } = options
  const { db } = store
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  const writeDown = async (transaction: Db, verb: string, before: ApiKeyRecord, after: ApiKeyRecord, at: Date) => {
    const { of } = keyAnswer(() => at.getTime())
    const shown = { before: { ...of(before) }, after: { ...of(after) } }
    await appendSystemAudit(transaction, after.organisationId, { ...keyEntry(verb, after), ...shown })
  }

  const tell = async (
    kind: KeyRotationEvent['kind'],
    key: ApiKeyRecord,
    transaction: Db,
  ): Promise<KeyRotationEvent> => {
    const event = { kind, key, endsAt: key.previousExpiresAt ?? key.lastUpdatedAt }
    await onRotation(event, transaction)
    return event
  }

  const rotate = async (key: DueKey, at: Date): Promise<KeyRotationEvent | undefined> => {
    // So that the data key is known to this process: the embedded database could not be asked for it by a transaction that
    // collects the secret.
    await secretBox.derive(key.organisationId, PURPOSE)
    return db.transaction(async (transaction) => {
      const before = await holdDueRotation(transaction, key, at)
      if (before === undefined) return undefined
      const after = await rotateDueKey(transaction, before, { at, secretBox })
      const event = await tell('rotated', after, transaction)
      await writeDown(transaction, 'rotate', before, after, at)
      return event
    })
  }

  const remind = (key: DueKey, at: Date): Promise<KeyRotationEvent | undefined> =>
    db.transaction(async (transaction) => {
      const before = await holdUncollected(transaction, key, at)
      if (before === undefined) return undefined
      const { key: after, outcome } = await checkUncollected(transaction, before, at)
      const event = await tell(outcome === 'lapsed' ? 'lapsed' : 'uncollected', after, transaction)
      if (outcome !== 'reminded')
        await writeDown(transaction, outcome === 'lapsed' ? 'lapse' : 'extend', before, after, at)
      return event
    })

  /** Each in a transaction of its own: one that fails holds up no other, and is tried again at the next look. */
  const forEach = async (
    find: (at: Date, limit: number) => Promise<readonly DueKey[]>,
    work: (key: DueKey, at: Date) => Promise<KeyRotationEvent | undefined>,
  ): Promise<void> => {
    for (;;) {
      const at = new Date(Math.min(clock.now(), (await readClock(db)).getTime()))
      const found = await find(at, BATCH)
      let done = 0
      for (const key of found) {
        if (stopping.signal.aborted) return
        try {
          const event = await work(key, at)
          if (event === undefined) continue
          done++
          const { kind, endsAt } = event
          const fields = { id: key.id, name: event.key.name, old_secret_ends_at: endsAt.toISOString() }
          if (kind === 'rotated') log.info(MESSAGES[kind], fields)
          else log.warn(MESSAGES[kind], fields)
        } catch (thrown) {
          if (thrown instanceof StoreUnavailable) throw thrown
          log.error('an API key could not be rotated', { id: key.id, ...errorFields(thrown) })
        }
      }
      if (found.length < BATCH || done === 0) return
    }
  }

  const runAll = async (): Promise<void> => {
    // A secret that was given up makes room for the next rotation.
    await forEach((at, limit) => findUncollected(db, at, limit), remind)
    await forEach((at, limit) => findDueRotations(db, at, limit), rotate)
  }

  const run = (): Promise<void> => {
    if (stopping.signal.aborted) return Promise.resolve()
    running ??= runAll()
      .catch((thrown: unknown) => log.warn('API keys that are due could not be looked for', errorFields(thrown)))
      .finally(() => {
        running = undefined
      })
    return running
  }

  const timer = setInterval(run, pollMs)
  timer.unref()
  void run()

  return {
    run,
    async close() {
      clearInterval(timer)
      stopping.abort()
      if (running !== undefined) await within(running, CLOSE_MS)
    },
  }
}

/** Nothing is sealed for it. */
const PURPOSE = 'rotated keys'

const MESSAGES = {
  rotated: 'an API key was rotated: its new secret waits to be collected',
  uncollected: 'the new secret of an API key was not collected: the old one ends soon',
  lapsed: 'the new secret of an API key was never collected, and the old one has ended: rotate it by hand',
} as const satisfies Record<KeyRotationEvent['kind'], string>
