import type { OperatorConfig } from '../config/schema.ts'

/** The port or address cannot be used. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Larger than any limit of ours: the body is measured where the refusal can be put in words. */
const MAX_REQUEST_BODY_BYTES = 2 ** 40
/** How long a connection may be silent, in seconds. Bun knows no more than 255. */
export interface IdleLimits {
  /** Between calls, and between two bytes of a request head. */
  readonly betweenCallsSeconds: number
  /** Of the client of a stream: one that does not read for so long is given up. */
  readonly streamSeconds: number
}

const IDLE_LIMITS: IdleLimits = { betweenCallsSeconds: 60, streamSeconds: 255 }

export type Handler = (request: Request) => Response | Promise<Response>

/**
 * Listens and hands every request to `handler()`, which may change while it runs.
 * @throws ListenError with one clear line.
 */
export const listen = (
  { host, port }: OperatorConfig['server'],
  handler: () => Handler,
  { betweenCallsSeconds, streamSeconds }: IdleLimits = IDLE_LIMITS,
): Bun.Server<undefined> => {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Two processes on one port would each get a part of the calls, unnoticed.
      reusePort: false,
      idleTimeout: betweenCallsSeconds,
      maxRequestBodySize: MAX_REQUEST_BODY_BYTES,
      development: false,
      async fetch(request, server) {
        // A model may think for minutes; the call has deadlines of its own. What is set here stays with the connection.
        server.timeout(request, 0)
        const response = await handler()(request)
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
        server.timeout(request, isStream ? streamSeconds : betweenCallsSeconds)
        return response
      },
    })
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    const reason =
      code === 'EADDRINUSE'
        ? 'the port is taken by another process; choose another with PORT'
        : code === 'EACCES'
          ? 'permission denied'
          : thrown instanceof Error
            ? thrown.message
            : String(thrown)
    throw new ListenError(`cannot listen on ${host}:${port}: ${reason}`, { cause: thrown })
  }
}
