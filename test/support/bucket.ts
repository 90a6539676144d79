import { freePort, spawnMoto } from './moto.ts'
import { eventually, stopChild } from './start-process.ts'

/** A bucket on a real S3 server: moto's, with all of it in memory. */
export interface TestBucket {
  /** For `WEIR_FILES_URL`. */
  readonly url: string
  /** With which the server is reached. */
  readonly env: Readonly<Record<string, string>>
  /** Keys of all objects. */
  keys(): Promise<readonly string[]>
  /** The server is gone; what it had is lost. */
  stop(): Promise<void>
  /** It is back at its old place, with an empty bucket. */
  start(): Promise<void>
}

const NAME = 'weir-files'
const START_DEADLINE_MS = 60_000

export const openBucket = async (): Promise<TestBucket> => {
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  let server: Bun.Subprocess | undefined
  const isServed = async (): Promise<boolean> => {
    try {
      return (await fetch(`${endpoint}/${NAME}`, { method: 'PUT', signal: AbortSignal.timeout(5_000) })).ok
    } catch {
      return false
    }
  }
  const start = async (): Promise<void> => {
    server = spawnMoto(port)
    if (!(await eventually(isServed, START_DEADLINE_MS))) throw new Error('the S3 server did not start')
  }
  await start()
  return {
    url: `s3://${NAME}/some/prefix?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1`,
    env: { WEIR_FILES_ACCESS_KEY_ID: 'an-access-key', WEIR_FILES_SECRET_ACCESS_KEY: 'a-secret-of-the-bucket' },
    async keys() {
      const text = await (await fetch(`${endpoint}/${NAME}?list-type=2`)).text()
      return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
    },
    async stop() {
      if (server !== undefined) await stopChild(server, 'SIGKILL')
      server = undefined
    },
    start,
  }
}
