import type { Clock, Logger } from '../../core/ports.ts'
import { errorFields } from '../../errors/error-fields.ts'
import { type ControlPlaneClient, ControlPlaneRefused } from '../ask.ts'
import { CHANGES_PATH, type ChangedPart, type ChangeLine, type ChangesAsked, HEARTBEAT_MS } from '../protocol.ts'
import type { Mirror } from './mirror.ts'

export interface LinkOptions {
  readonly client: Pick<ControlPlaneClient, 'lines'>
  readonly mirror: Mirror
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>
  readonly log: Logger
  readonly version: string
  /** Where the control plane is, for people. */
  readonly url: string
  /** Milliseconds that a data plane goes on whose credentials are refused. */
  readonly refusedGraceMs: number
  /** From 0 to 1. */
  readonly random?: () => number
  /** A word of the control plane is waited for no longer. */
  readonly silenceMs?: number
  /** Between two tries with credentials that are refused. */
  readonly refusedRetryMs?: number
}

/** How a data plane and its control plane are. */
export interface LinkState {
  readonly isConnected: boolean
  /** There is a configuration to serve by. */
  readonly hasSnapshot: boolean
  /** The control plane has ended this data plane, or refuses it for too long. */
  readonly hasEnded: boolean
  /** Milliseconds since the configuration was last known to be that of the control plane; absent: never. */
  readonly ageMs: number | undefined
  /** Why there is no connection. */
  readonly problem: string | undefined
}

/** Keeps the configuration of a data plane in step with the control plane. */
export interface Link {
  readonly state: LinkState
  /** Calls can be judged: there is a configuration, or there will be none any more. Asked for each of them. */
  readonly isServing: boolean
  /** Settles once there is a configuration, or the time is over. */
  ready(withinMs: number): Promise<void>
  close(): Promise<void>
}

/**
 * Between two tries: so soon, and up to so much later, so that not all come back at one moment. What was revoked meanwhile ends
 * within a second of the return: the most of it is for the first difference.
 */
const RETRY_MS = 50
const RETRY_SPREAD_MS = 150
/** Credentials that are refused do not become right by asking. */
const REFUSED_RETRY_MS = 5_000
const CONNECT_MS = 3_000
/** Until a control plane that is busy begins to answer. */
const FIRST_BYTE_MS = 10_000
/** What one commit may be, in characters of its rows. */
const MAX_COMMIT_CHARACTERS = 64 * 1024 * 1024
/** It is written down this often that nothing has changed. */
const NOTE_MS = 30_000
/** A failure that goes on is said again. */
const SAY_AGAIN_MS = 60_000
const NOT_AUTHENTICATED = 'AB05'
const NOT_ALLOWED = 'AB03'

/** The control plane is another one than that of the configuration. */
class OtherOrganisation extends Error {
  override readonly name = 'OtherOrganisation'
}

/** Connects, again and again, until it is closed. */
export const openLink = (options: LinkOptions): Link => {
  const { client, mirror, clock, log, version, url, refusedGraceMs, random = Math.random } = options
  const { silenceMs = HEARTBEAT_MS * 3, refusedRetryMs = REFUSED_RETRY_MS } = options
  const stop = new AbortController()
  const firstSnapshot = Promise.withResolvers<void>()
  let isConnected = false
  let hasEnded = false
  let problem: string | undefined = 'no connection yet'
  let agreedAtMs: number | undefined
  let notedAtMs = clock.monotonicMs()
  let saidAtMs = Number.NEGATIVE_INFINITY
  let wake = (): void => undefined

  const agree = async (): Promise<void> => {
    agreedAtMs = clock.monotonicMs()
    if (agreedAtMs - notedAtMs < NOTE_MS) return
    notedAtMs = agreedAtMs
    await mirror.note({ syncedAt: new Date(clock.now()) })
  }

  const end = async (reason: string): Promise<void> => {
    if (!hasEnded) log.error('this data plane has ended: its configuration is removed', { controlPlane: url, reason })
    hasEnded = true
    if (mirror.state.syncedAt !== null) await mirror.wipe()
  }

  /** @throws OtherOrganisation */
  const greet = async ({ organisation, deployment }: Extract<ChangeLine, { type: 'hello' }>): Promise<void> => {
    const { organisationId, syncedAt } = mirror.state
    if (syncedAt !== null && organisationId !== organisation) throw new OtherOrganisation(OTHER)
    isConnected = true
    hasEnded = false
    problem = undefined
    await mirror.note({ organisationId: organisation, deploymentId: deployment, refusedAt: null })
    log.info('connected to the control plane', { controlPlane: url })
    saidAtMs = Number.NEGATIVE_INFINITY
  }

  const session = async (): Promise<void> => {
    const { instanceId, organisationId, syncedAt } = mirror.state
    const asked: ChangesAsked = {
      ...{ instance: instanceId, version },
      ...(await mirror.have()),
      ...(organisationId === null || syncedAt === null ? {} : { organisation: organisationId }),
    }
    const deadlines = { connectMs: CONNECT_MS, firstByteMs: FIRST_BYTE_MS, idleMs: silenceMs, totalMs: FIRST_BYTE_MS }
    const lines = client.lines(CHANGES_PATH, JSON.stringify(asked), { deadlines, signal: stop.signal })
    let parts: ChangedPart[] = []
    let characters = 0
    for await (const text of lines) {
      const line = JSON.parse(text) as ChangeLine
      switch (line.type) {
        case 'hello':
          await greet(line)
          break
        case 'part':
          parts.push(line)
          characters += text.length
          if (characters > MAX_COMMIT_CHARACTERS) throw new Error('the control plane sent more than can be held')
          break
        case 'commit':
          await mirror.apply(parts, line.isSynced)
          parts = []
          characters = 0
          if (line.isSynced) {
            await agree()
            firstSnapshot.resolve()
          }
          break
        case 'heartbeat':
          if (mirror.state.syncedAt !== null) await agree()
          break
        case 'end':
          if (line.reason === 'archived') await end('the deployment was archived')
          return
      }
    }
  }

  /** @returns milliseconds until the next try */
  const judge = async (thrown: unknown): Promise<number> => {
    const isRefused = thrown instanceof ControlPlaneRefused
    problem = thrown instanceof Error ? thrown.message : 'the connection broke'
    if (thrown instanceof OtherOrganisation) return refusedRetryMs
    if (isRefused && thrown.status === 403 && thrown.code === NOT_ALLOWED) {
      await end('the deployment is archived')
      return refusedRetryMs
    }
    if (isRefused && thrown.status === 401 && thrown.code === NOT_AUTHENTICATED) {
      const { refusedAt } = mirror.state
      if (refusedAt === null) await mirror.note({ refusedAt: new Date(clock.now()) })
      else if (clock.now() - refusedAt.getTime() >= refusedGraceMs) await end('its credentials are refused')
      return refusedRetryMs
    }
    if (isRefused && thrown.status < 500) return refusedRetryMs
    return RETRY_MS + random() * RETRY_SPREAD_MS
  }

  const pause = (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
    if (stop.signal.aborted) wake()
    return promise
  }

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      let retryMs = RETRY_MS + random() * RETRY_SPREAD_MS
      const wasConnectedBefore = isConnected
      try {
        await session()
        problem = 'the control plane has ended the connection'
      } catch (thrown) {
        if (stop.signal.aborted) return
        try {
          retryMs = await judge(thrown)
        } catch (failed) {
          log.error('what the control plane said could not be written down', errorFields(failed))
        }
        const isNews = isConnected || wasConnectedBefore
        if (isNews || clock.monotonicMs() - saidAtMs >= SAY_AGAIN_MS) {
          saidAtMs = clock.monotonicMs()
          log.warn('no connection to the control plane: calls are served by the last configuration', {
            controlPlane: url,
            reason: problem,
          })
        }
      }
      isConnected = false
      await pause(retryMs)
    }
  }

  if (mirror.state.syncedAt !== null) firstSnapshot.resolve()
  const running = run()
  return {
    get state() {
      const { syncedAt } = mirror.state
      const hasSnapshot = syncedAt !== null
      const ageMs =
        agreedAtMs === undefined ? syncedAt && clock.now() - syncedAt.getTime() : clock.monotonicMs() - agreedAtMs
      return { isConnected, hasSnapshot, hasEnded, ageMs: hasSnapshot ? (ageMs ?? undefined) : undefined, problem }
    },
    get isServing() {
      return hasEnded || mirror.state.syncedAt !== null
    },
    ready: async (withinMs) => {
      const timer = Promise.withResolvers<void>()
      const late = setTimeout(timer.resolve, withinMs)
      await Promise.race([firstSnapshot.promise, timer.promise])
      clearTimeout(late)
    },
    async close() {
      stop.abort()
      wake()
      await running
    },
  }
}

const OTHER =
  'The control plane is that of another organisation than the configuration here. Give this data plane a data folder of its own.'
