import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { OperatorConfigInput } from '../../../../src/config/schema.ts'
import { copyEmbeddedDatabase } from '../../../support/embedded-database.ts'
import { PATIENCE_MS } from './wire.ts'

const ROOT = resolve(import.meta.dir, '../../../..')

/** A gateway in a process of its own. */
export interface ChildGateway {
  readonly pid: number
  readonly port: number
  readonly apiKey: string
  readonly exited: Promise<number>
  /** Standard error so far: banner and operator's log. */
  readonly errors: string
  /** Standard output so far: call records, one JSON a line. */
  readonly output: string
  kill(signal: NodeJS.Signals): void
  /** Resident memory in KiB. */
  residentKib(): Promise<number>
  /** Ends the process and removes its folder. */
  close(): Promise<void>
}

/**
 * Runs a gateway and waits until it listens.
 * @param script relative to the root of the repository; by default the `weir` command with a config file and an
 * embedded database of its own.
 */
export const startChildGateway = async (options: {
  readonly config?: OperatorConfigInput
  readonly env?: Readonly<Record<string, string>>
  readonly script?: string
}): Promise<ChildGateway> => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-child-'))
  const apiKey = 'child-workspace-key-0123456789abcdef0123'
  await writeFile(join(folder, 'weir.config.json'), JSON.stringify(options.config ?? {}))
  const command = options.script === undefined ? [join(ROOT, 'src/main.ts'), 'start'] : [join(ROOT, options.script)]
  if (options.script === undefined) await copyEmbeddedDatabase(join(folder, 'data'))
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      PORT: '0',
      WEIR_DATA_DIR: join(folder, 'data'),
      WEIR_API_KEY: apiKey,
      WEIR_ADMIN_KEY: 'child-organisation-key-0123456789abcdef0123',
      ...options.env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  })
  const output = follow(child.stdout)
  const errors = follow(child.stderr)
  const close = async (): Promise<void> => {
    child.kill('SIGKILL')
    await child.exited
    await rm(folder, { recursive: true, force: true })
  }
  const startedMs = performance.now()
  let port: number | undefined
  while (port === undefined) {
    const found = / is listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(errors.text)?.[1]
    if (found !== undefined) port = Number(found)
    else if (child.exitCode !== null || performance.now() - startedMs > 4 * PATIENCE_MS) {
      await close()
      throw new Error(`the gateway did not start: ${errors.text}`)
    } else await Bun.sleep(20)
  }
  return {
    pid: child.pid,
    port,
    apiKey,
    exited: child.exited,
    get errors() {
      return errors.text
    },
    get output() {
      return output.text
    },
    kill: (signal) => child.kill(signal),
    residentKib: async () => Number(await Bun.$`ps -o rss= -p ${child.pid}`.text()),
    close,
  }
}

const follow = (stream: ReadableStream<Uint8Array>): { readonly text: string } => {
  const followed = { text: '' }
  const decoder = new TextDecoder()
  const read = async (): Promise<void> => {
    for await (const piece of stream) followed.text += decoder.decode(piece, { stream: true })
  }
  read().catch(() => undefined)
  return followed
}

/** A config whose provider `openai` is an upstream of the test on the loopback address. */
export const configFor = (upstreamUrl: string, more: OperatorConfigInput = {}): OperatorConfigInput => ({
  ...more,
  egress: { trustedHosts: ['127.0.0.1'] },
  plugins: [...(more.plugins ?? ['defaults']), { openai: { baseURL: `${upstreamUrl}/v1`, apiKey: 'sk-child' } }],
})
