import type { Weir } from '../../compose/weir.ts'
import { type Handler, IDLE_LIMITS } from '../listen.ts'
import { ownSockets } from './own-sockets.ts'

/** Milliseconds between two looks at what is still connected. */
const LOOK_MS = 250
/** Milliseconds after which a connection that nobody uses has been closed. */
const UNUSED_MS = IDLE_LIMITS.betweenCallsSeconds * 1_000 + 5_000

export interface Retirement {
  /** Answers calls. */
  readonly handler: Handler
  /**
   * From now on each connection is closed with its next answer: a client that has one open loses no call by it, as it would if
   * it were closed while a request is on its way. Resolves when nobody is connected, or uses the connection.
   */
  begin(port: number): Promise<void>
}

/** The end of a worker that another has taken over from. */
export const createRetirement = ({ handle, gateway, state }: Weir): Retirement => {
  let handler: Handler = handle
  return {
    get handler() {
      return handler
    },
    async begin(port) {
      state.retiring = true
      gateway.retireSockets()
      handler = async (request) => {
        const response = await handle(request)
        response.headers.set('connection', 'close')
        return response
      }
      let untilMs = performance.now() + UNUSED_MS
      while (ownSockets(port).connections > 0 && performance.now() < untilMs) {
        if (gateway.calls.running > 0) untilMs = performance.now() + UNUSED_MS
        await Bun.sleep(LOOK_MS)
      }
    },
  }
}
