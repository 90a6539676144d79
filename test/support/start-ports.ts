const ATTEMPTS = 5

/** A service found its port taken between the choice and the start. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken'
}

/** Distinct TCP ports on 127.0.0.1 that nothing listens on at this moment; another process may still take one first. */
export function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, () =>
    // All are held open together, so that the system cannot hand out the same port twice.
    Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } }),
  )
  const ports = listeners.map((listener) => listener.port)
  for (const listener of listeners) listener.stop(true)
  return ports
}

/** Calls `attempt` with fresh ports, and again with others while it throws `PortTaken`, five times at most. */
export async function onFreePorts<Result>(
  count: number,
  attempt: (ports: readonly number[]) => Promise<Result>,
): Promise<Result> {
  for (let round = 1; ; round++) {
    try {
      return await attempt(freePorts(count))
    } catch (error) {
      if (!(error instanceof PortTaken) || round === ATTEMPTS) throw error
    }
  }
}
