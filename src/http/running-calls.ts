import type { Call } from '../core/call.ts'
import type { Cancellation } from '../core/cancellation.ts'
import { type Listed, SwapList } from '../core/swap-list.ts'
import { ClientClosed, type GatewayError } from '../errors/gateway-error.ts'

/** A call that runs, and the client that waits for it. */
export class RunningCall implements Listed {
  readonly call: Call
  readonly #cancellation: Cancellation
  readonly #client: AbortSignal
  slot = -1
  /** Of a WebSocket: closes it as soon as no response is under way. */
  retire: (() => void) | undefined

  /** @param cancellation that the call was made with */
  constructor(call: Call, cancellation: Cancellation, client: AbortSignal) {
    this.call = call
    this.#cancellation = cancellation
    this.#client = client
  }

  /** Hears of it when the client leaves, from now until `ended`. */
  watch(): void {
    // A call ends only after the stages have had the chance to listen for it, also when its client is gone already.
    if (this.#client.aborted) this.abort(new ClientClosed('The client left before the answer was begun.'))
    else this.#client.addEventListener('abort', this.leave, { once: true })
  }

  /** Nobody waits for the answer any more. */
  readonly leave = (): void => {
    const error = new ClientClosed('The client left before the answer was complete.')
    this.abort(error)
    // A stream that nobody reads any more has no other way to end the call.
    this.call.finish('client_closed', error.status, error)
  }

  get clientHasLeft(): boolean {
    return this.#client.aborted
  }

  /** Gives up everything that the call waits for. */
  abort(error: GatewayError): void {
    this.#cancellation.abort(error)
  }

  ended(): void {
    this.#client.removeEventListener('abort', this.leave)
  }
}

/** The calls that run. */
export class RunningCalls {
  readonly #running = new SwapList<RunningCall>()
  readonly #waiting: (() => void)[] = []

  get count(): number {
    return this.#running.length
  }

  add(running: RunningCall): void {
    this.#running.add(running)
  }

  remove(running: RunningCall): void {
    this.#running.remove(running)
    running.ended()
    if (this.#running.length === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves when no call runs. */
  idle(): Promise<void> {
    return this.#running.length === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))
  }

  retire(): void {
    for (const running of this.#running.snapshot()) running.retire?.()
  }

  abortAll(error: GatewayError): void {
    for (const running of this.#running.snapshot()) running.abort(error)
  }
}
