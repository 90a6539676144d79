import { createBoundedMap } from '../core/bounded-map.ts'

/** A session at a server behind, begun by Weir for a caller whose client keeps none with that server. */
export interface SharedSession {
  /** Its id; undefined where the server gave none. */
  readonly upstream: string | undefined
  readonly protocolVersion: string
}

/**
 * Sessions for clients that send single calls, at servers that want one: each caller has one at each server, begun once however
 * many calls come together.
 */
export interface SharedSessions {
  find(key: string): SharedSession | undefined
  begin(key: string, open: () => Promise<SharedSession>): Promise<SharedSession>
  /** The server does not know it any more. */
  drop(key: string, session: SharedSession): void
}

const MAX_SESSIONS = 10_000

export const createSharedSessions = (): SharedSessions => {
  const sessions = createBoundedMap<string, SharedSession>(MAX_SESSIONS)
  const beginning = new Map<string, Promise<SharedSession>>()
  return {
    find: (key) => sessions.get(key),
    begin(key, open) {
      const running = beginning.get(key)
      if (running !== undefined) return running
      const started = open()
        .then((session) => {
          sessions.set(key, session)
          return session
        })
        .finally(() => beginning.delete(key))
      beginning.set(key, started)
      return started
    },
    drop(key, session) {
      if (sessions.peek(key) === session) sessions.delete(key)
    },
  }
}
