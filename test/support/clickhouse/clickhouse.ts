import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testPython } from '../services.ts'

/** ClickHouse's engine in a process of its own, with no data. */
export interface TestClickhouse {
  readonly url: string
  /**
   * Makes statements fail, each once: the first one that has this text, `before` it is run or `after`, as when the answer
   * was lost.
   */
  fail(faults: readonly (readonly [text: string, when: 'before' | 'after'])[]): Promise<void>
  close(): Promise<void>
}

const FRONT = new URL('front.py', import.meta.url).pathname

/** Starts one, in a second or two. Throws when the tests were not started by `bun run test`. */
export const startClickhouse = async (): Promise<TestClickhouse> => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-clickhouse-'))
  const front = Bun.spawn([testPython(), FRONT, join(folder, 'data')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: Bun.file(join(folder, 'log')),
  })
  const close = async (): Promise<void> => {
    front.stdin.end()
    await front.exited
    await rm(folder, { recursive: true, force: true })
  }
  const port = await readPort(front.stdout)
  if (port === undefined) {
    const log = await Bun.file(join(folder, 'log')).text()
    await close()
    throw new Error(`The engine of ClickHouse did not start: ${log.trim().split('\n').at(-1)}`)
  }
  const url = `http://weir:a%20password@127.0.0.1:${port}`
  return {
    url,
    async fail(faults) {
      await fetch(`http://127.0.0.1:${port}/faults`, { method: 'POST', body: JSON.stringify(faults) })
    },
    close,
  }
}

/** The line that says where it listens; undefined where its output ends without. */
const readPort = async (output: ReadableStream<Uint8Array>): Promise<number | undefined> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of output) {
    text += decoder.decode(bytes, { stream: true })
    const port = /^listening (\d+)\n/m.exec(text)?.[1]
    if (port !== undefined) return Number(port)
  }
  return undefined
}
