import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OperatorConfigInput } from '../../../../src/config/schema.ts'
import type { LoadRequest } from '../load/wrk.ts'
import type { Wire } from '../upstream/answers.ts'
import type { AnswerKind } from '../upstream/behaviours.ts'
import type { Upstream } from '../upstream/start.ts'
import { ADMIN_KEY, API_KEY, MASTER_KEY } from './keys.ts'
import { type Subject, startSubject } from './subject.ts'

const MAIN = join(import.meta.dir, '../../../../src/main.ts')

export interface WeirOptions {
  readonly folder: string
  readonly upstream: Upstream
  readonly answer: AnswerKind
  /** What OpenAI's host speaks. Default: chat. */
  readonly wire?: Wire
  /** Absent: the embedded database, made at the start. */
  readonly databaseUrl?: string
  /** Absent: limits and answers in memory. */
  readonly redisUrl?: string
  /** Call records are written and read by another process. */
  readonly hasLog: boolean
  readonly probe: (url: string) => LoadRequest
}

/** Weir as an operator starts it, with the providers' base URLs pointing at the upstream. */
export const startWeir = async (options: WeirOptions): Promise<Subject> => {
  const { upstream, answer, databaseUrl, redisUrl, hasLog, wire } = options
  const openai = upstream.url(wire === 'responses' ? wire : 'openai', answer)
  const runsIn = await mkdtemp(join(options.folder, 'weir-'))
  const config: OperatorConfigInput = {
    egress: { trustedHosts: ['127.0.0.1'] },
    plugins: [
      'defaults',
      { logging: { calls: hasLog } },
      { openai: { baseURL: `${openai}/v1`, apiKey: 'sk-of-the-operator' } },
      { anthropic: { baseURL: `${upstream.url('anthropic', answer)}/v1`, apiKey: 'sk-of-the-operator' } },
    ],
  }
  await writeFile(join(runsIn, 'weir.config.json'), JSON.stringify(config))
  return startSubject({
    name: 'Weir',
    folder: options.folder,
    runsIn,
    command: () => [process.execPath, MAIN, 'start'],
    env: (port) => ({
      PORT: String(port),
      WEIR_API_KEY: API_KEY,
      WEIR_ADMIN_KEY: ADMIN_KEY,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, WEIR_MASTER_KEY: MASTER_KEY }),
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    }),
    hasLog,
    probe: options.probe,
  })
}
