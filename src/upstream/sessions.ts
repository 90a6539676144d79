import type { Destination } from './egress.ts'

/** Seconds an idle connection is kept: below the 60 s after which most load balancers close theirs. */
const IDLE_SECONDS = 50
/** TLS names kept at once; past it the one unused for longest goes. */
const MAX_NAMES = 256

/** Connection pools by the name that TLS verifies, so that a connection made for one host never serves another. */
export interface Sessions {
  for(destination: Destination): Bun.FetchSession
  close(): void
}

export const createSessions = (): Sessions => {
  const options = (serverName?: string): Bun.FetchSessionInit => ({
    // A proxy of the environment would dial for us, past the address check.
    proxy: false,
    keepAlive: { idleTimeout: IDLE_SECONDS },
    ...(serverName === undefined ? {} : { tls: { serverName } }),
  })
  const plain = new Bun.FetchSession(options())
  const byName = new Map<string, Bun.FetchSession>()
  return {
    for({ secure, serverName }) {
      if (!secure || serverName === undefined) return plain
      const session = byName.get(serverName) ?? new Bun.FetchSession(options(serverName))
      byName.delete(serverName)
      byName.set(serverName, session)
      if (byName.size > MAX_NAMES) {
        const [oldest] = byName
        if (oldest !== undefined) {
          byName.delete(oldest[0])
          oldest[1].close()
        }
      }
      return session
    },
    close() {
      plain.close()
      for (const session of byName.values()) session.close()
    },
  }
}
