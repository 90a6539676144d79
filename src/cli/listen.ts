import type { OperatorConfig } from '../config/schema.ts'

/** The port or address cannot be used. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Larger than any limit of ours: the body is measured where the refusal can be put in words. */
const MAX_REQUEST_BODY_BYTES = 2 ** 40
/** Seconds an idle connection is kept, and a client may take between two bytes of its request head. */
const IDLE_SECONDS = 60

export type Handler = (request: Request) => Response | Promise<Response>

/**
 * Listens and hands every request to `handler()`, which may change while it runs.
 * @throws ListenError with one clear line.
 */
export const listen = ({ host, port }: OperatorConfig['server'], handler: () => Handler): Bun.Server<undefined> => {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Two processes on one port would each get a part of the calls, unnoticed.
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: MAX_REQUEST_BODY_BYTES,
      development: false,
      fetch(request, server) {
        // A model may think for minutes; the call has deadlines of its own.
        server.timeout(request, 0)
        return handler()(request)
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
