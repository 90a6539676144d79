import type { GatewayError } from '../errors/gateway-error.ts'
import type { Durations } from './call-times.ts'
import type { Usage } from './usage.ts'

/** How a call ended. `truncated`: the client got a part and then an in-band error. */
export type Outcome = 'completed' | 'failed' | 'client_closed' | 'truncated'

/** What every `onFinish` listener gets, once, after the last byte was handed over, the client left, or the call failed. */
export interface Finish {
  readonly outcome: Outcome
  /** The status the client saw; 499 when it left before one was sent. */
  readonly status: number
  readonly error?: GatewayError | undefined
  /** Of an attempt that was abandoned: what it used, which is the call's only where the client has a part of its answer. */
  readonly usage?: Usage | undefined
  /** What the last attempt used, as far as it was not abandoned: all of `usage`, unless others gave a part of the answer. */
  readonly lastUsage?: Usage | undefined
  /** False when no provider was asked: the gateway refused, or answered by itself. */
  readonly reachedProvider: boolean
  /** Requests to providers in all. */
  readonly asked: number
  /** Bytes of the answer's body that the client got. */
  readonly bytesOut: number
  readonly durations: Durations
}

export type FinishListener = (finish: Finish) => void
