import type { GatewayError } from '../errors/gateway-error.ts'
import type { Usage } from './usage.ts'

/** How a call ended. `truncated`: the client got a part and then an in-band error. */
export type Outcome = 'completed' | 'failed' | 'client_closed' | 'truncated'

/** What every `onFinish` listener gets, once, after the last byte was handed over, the client left, or the call failed. */
export interface Finish {
  readonly outcome: Outcome
  /** The status the client saw; 499 when it left before one was sent. */
  readonly status: number
  readonly error?: GatewayError | undefined
  readonly usage?: Usage | undefined
  /** False when no provider was asked: the gateway refused, or answered by itself. */
  readonly reachedProvider: boolean
  /** Milliseconds from the arrival of the request. */
  readonly durations: {
    readonly totalMs: number
    /** To the first byte of the answer's body; absent when there was none. */
    readonly firstByteMs?: number | undefined
  }
}

export type FinishListener = (finish: Finish) => void
