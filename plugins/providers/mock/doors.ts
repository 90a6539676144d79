import { type MockServer, startMockServer } from './server.ts'

/** Where the mock of this gateway is. */
export interface Doors {
  /** Of the server that calls of this gateway go to. */
  readonly server: Pick<MockServer, 'port' | 'url'>
  close(): Promise<void>
}

const TRY_AGAIN_MS = 500

/**
 * Starts the mock at a port of its own, or at the one that was asked for. Where another worker has that, or the configuration
 * of before a reload, calls of this gateway go to a port of its own, and the one that was asked for is taken once it is free:
 * so somebody is there as long as any of them runs.
 * @param port 0: any
 * @param onTaken hears that somebody else has it
 */
export const openDoors = async (port: number, onTaken: (error: unknown) => void): Promise<Doors> => {
  try {
    const server = await startMockServer({ port, maxRecorded: 0 })
    return { server, close: () => server.close() }
  } catch (thrown) {
    if (!isTaken(thrown)) throw thrown
    onTaken(thrown)
  }
  const own = await startMockServer({ maxRecorded: 0 })
  let asked: MockServer | undefined
  let trying: Promise<void> | undefined
  const tryAgain = async (): Promise<void> => {
    try {
      asked = await startMockServer({ port, maxRecorded: 0 })
      clearInterval(timer)
    } catch {
      // Still taken.
    } finally {
      trying = undefined
    }
  }
  const timer = setInterval(() => {
    trying ??= tryAgain()
  }, TRY_AGAIN_MS)
  timer.unref()
  return {
    server: own,
    async close() {
      clearInterval(timer)
      await trying
      await Promise.all([own.close(), asked?.close()])
    },
  }
}

const isTaken = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE'
