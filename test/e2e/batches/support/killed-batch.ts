import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import OpenAI, { toFile } from 'openai'
import type { RunningGateway } from '../../../support/command.ts'
import { API_KEY, openScene } from '../../management/support/scene.ts'

export interface KilledBatch {
  readonly lines: number
  /** How often one of the two processes is killed. */
  readonly kills: number
  /** At least 0 and below 1. */
  readonly random: () => number
  /** Milliseconds that a process lives at most between two deaths. */
  readonly longestLifeMs: number
}

export interface KilledBatchEnd {
  readonly status: string
  readonly counts: OpenAI.Batch['request_counts']
  /** `custom_id` of each line of the output, in its order. */
  readonly ids: readonly string[]
  /** Lines of the file of errors. */
  readonly errors: readonly string[]
  readonly kills: number
  /** Requests that the provider got: those in flight at a death are made again. */
  readonly asked: number
  readonly ms: number
}

const NAMES = ['one', 'two'] as const

/** Runs a batch over two processes on one Postgres, either of which is killed at random. */
export const runKilledBatch = async (options: KilledBatch): Promise<KilledBatchEnd> => {
  const { lines, kills, random, longestLifeMs } = options
  const scene = await openScene({ store: 'postgres' })
  const files = pathToFileURL(join(scene.folder, 'shared')).href
  const start = (name: string) => scene.start({ WEIR_FILES_URL: files, WEIR_DATA_DIR: join(scene.folder, name) })
  const running = new Map<string, RunningGateway>()
  try {
    for (const name of NAMES) running.set(name, await start(name))
    // Whichever is there answers.
    const any = async <T>(ask: (client: OpenAI) => Promise<T>): Promise<T> => {
      for (let tries = 0; ; tries++) {
        const [gateway] = [...running.values()].slice(tries % 2)
        try {
          if (gateway === undefined) throw new Error('no process runs')
          const headers = { 'x-gateway-provider': 'openai', 'x-gateway-api-key': API_KEY }
          const baseURL = `${gateway.url}/v1`
          return await ask(new OpenAI({ apiKey: 'sk-provider', baseURL, maxRetries: 0, defaultHeaders: headers }))
        } catch (thrown) {
          // Both may be dead at once, and a busy machine takes its time to start one.
          if (tries === 2_000) throw thrown
          await Bun.sleep(50)
        }
      }
    }
    const ids = Array.from({ length: lines }, (_, number) => `line-${number}`)
    const input = ids.map((id) =>
      JSON.stringify({
        custom_id: id,
        url: '/v1/chat/completions',
        body: { model: 'mock:latency=20', messages: [{ role: 'user', content: id }] },
      }),
    )
    const startedMs = performance.now()
    const file = await any(async (client) =>
      client.files.create({ file: await toFile(Buffer.from(input.join('\n')), 'in.jsonl'), purpose: 'batch' }, OWN),
    )
    const { id } = await any((client) =>
      client.batches.create({
        ...{ input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' },
      }),
    )
    let isOver = false
    let deaths = 0
    const haunt = async (name: string): Promise<void> => {
      while (!isOver && deaths < kills) {
        await Bun.sleep(random() * longestLifeMs)
        if (isOver || deaths >= kills) return
        deaths++
        await running.get(name)?.stop('SIGKILL')
        running.delete(name)
        running.set(name, await start(name))
      }
    }
    const haunting = NAMES.map(haunt)
    let batch = await any((client) => client.batches.retrieve(id))
    while (!ENDED.has(batch.status)) {
      await Bun.sleep(200)
      batch = await any((client) => client.batches.retrieve(id))
    }
    const ms = performance.now() - startedMs
    isOver = true
    await Promise.all(haunting)
    const textOf = async (fileId: string | null | undefined): Promise<readonly string[]> => {
      if (fileId == null) return []
      const text = await any(async (client) => (await client.files.content(fileId)).text())
      return text.trimEnd().split('\n')
    }
    return {
      status: batch.status,
      counts: batch.request_counts,
      ids: (await textOf(batch.output_file_id)).map((line) => JSON.parse(line).custom_id),
      errors: await textOf(batch.error_file_id),
      kills: deaths,
      asked: scene.ownUpstream.counters.received,
      ms,
    }
  } finally {
    await scene.close()
  }
}

/** For Weir, whatever its provider keeps. */
const OWN = { headers: { 'x-gateway-provider': null, authorization: `Bearer ${API_KEY}` } }

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled'])
