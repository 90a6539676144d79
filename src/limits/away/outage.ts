import type { LogFields, Logger } from '../../core/ports.ts'
import type { Timers } from './deadline.ts'

/** What the driver says of a command that it has not sent, or that no node of the cluster would take. */
const NEVER_SENT = /enableOfflineQueue options is false$|^Too many Cluster redirections/

/** A word for the log: the messages of the driver may hold a host, a script or its arguments. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'no reply'
  if (error.name === 'ReplyError') return /^[A-Z]+\b/.exec(error.message)?.[0] ?? 'error reply'
  if (NEVER_SENT.test(error.message)) return 'not connected'
  return error.message === 'Command timed out' ? 'no reply' : 'connection lost'
}

/** Failures in a row after which the shared store is not asked any more. */
const MOST_FAILURES = 5
/** Milliseconds between two attempts at a store that is away, or that did not take what was counted here. */
const RETRY_MS = 500
/** Milliseconds after a single call was decided here. */
const SOON_MS = 5

export interface OutageOptions {
  readonly probe: (workspaceId: string) => Promise<boolean>
  /** @returns whether the store has all that was waiting */
  readonly merge: () => Promise<boolean>
  /** Whether anything waits to be merged. */
  readonly hasMore: () => boolean
  readonly onBegin: () => void
  readonly onEnd: () => void
  /** More for the line that says that it is over. */
  readonly report: () => LogFields
  readonly log: Logger
  readonly timers: Timers
}

/** The time in which the shared store is not asked; what is counted meanwhile, or for single calls, is merged by this. */
export const createOutage = (options: OutageOptions) => {
  const { probe, merge, hasMore, onBegin, onEnd, report, log, timers } = options
  let isOn = false
  let isStopped = false
  let isRunning = false
  let failures = 0
  let calls = 0
  let failedWorkspace = ''
  let cancel: (() => void) | undefined

  const schedule = (delayMs: number): void => {
    if (!isStopped && !isRunning && cancel === undefined) cancel = timers.after(delayMs, () => void attempt())
  }

  const attempt = async (): Promise<void> => {
    cancel = undefined
    isRunning = true
    const wasOn = isOn
    const isMerged = (!wasOn || (await probe(failedWorkspace))) && (await merge())
    isRunning = false
    if (isStopped) return
    if (isMerged && wasOn) end()
    if (!isMerged || isOn) schedule(RETRY_MS)
    else if (hasMore()) schedule(SOON_MS)
  }

  const end = (): void => {
    isOn = false
    failures = 0
    log.warn('rate limits are shared again', { callsDecidedMeanwhile: calls, ...report() })
    calls = 0
    onEnd()
  }

  return {
    get isOn(): boolean {
      return isOn
    },
    succeeded(): void {
      failures = 0
    },
    /** @param workspaceId whose call failed: the store is back when it does what that workspace needs */
    failed(error: unknown, workspaceId: string): void {
      failedWorkspace = workspaceId
      failures += 1
      if (isOn || failures < MOST_FAILURES) return
      isOn = true
      log.warn('rate limits are counted by each process alone: the shared store does not answer', {
        reason: reasonOf(error),
      })
      onBegin()
      cancel?.()
      cancel = undefined
      schedule(RETRY_MS)
    },
    /** A call was decided without the shared store. */
    countCall(): void {
      calls += 1
    },
    /** Something was counted here. */
    mergeSoon: (): void => schedule(isOn ? RETRY_MS : SOON_MS),
    stop(): void {
      isStopped = true
      cancel?.()
    },
  }
}
