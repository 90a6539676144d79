import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadRequest } from '../load/wrk.ts'
import { fetchesBy } from '../process/fetch-command.ts'
import type { AnswerKind } from '../upstream/behaviours.ts'
import type { Upstream } from '../upstream/start.ts'
import type { NoPeer } from './fetch-peer.ts'
import { type Subject, startSubject } from './subject.ts'

/** The same as the tests drive as a client. */
export const LITELLM_VERSION = '1.83.0'

/** Some 560 MB of packages. */
const FETCH_DEADLINE_MS = 300_000

export interface LiteLLM {
  /** Its start script. */
  readonly script: string
}

/**
 * The proxy of LiteLLM, in an environment of its own below `cache`: it is no dependency of the product. Fetched with the pip of
 * `python3` unless it is there already, or `mayFetch` says no.
 */
export const fetchLiteLLM = async (cache: string, mayFetch: boolean): Promise<LiteLLM | NoPeer> => {
  const folder = join(cache, `litellm-${LITELLM_VERSION}`)
  const script = join(folder, 'bin', 'litellm')
  if (existsSync(script)) return { script }
  if (!mayFetch) return { reason: 'not fetched yet: `bun run bench` fetches it' }
  const python = Bun.which('python3')
  if (python === null) return { reason: 'needs Python, which is not installed' }
  await mkdir(cache, { recursive: true })
  // Made where it stays: its scripts name their own place. pip writes them last.
  await rm(folder, { recursive: true, force: true })
  const pip = [join(folder, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  const runs = (command: readonly string[]): Promise<boolean> =>
    fetchesBy({ name: command.slice(1, 3).join(' '), command, deadlineMs: FETCH_DEADLINE_MS })
  const isMade =
    (await runs([python, '-m', 'venv', folder])) && (await runs([...pip, `litellm[proxy]==${LITELLM_VERSION}`]))
  if (isMade && existsSync(script)) return { script }
  await rm(folder, { recursive: true, force: true })
  return { reason: 'could not be fetched from the registry' }
}

export interface LiteLLMOptions {
  readonly folder: string
  readonly litellm: LiteLLM
  readonly upstream: Upstream
  readonly answer: AnswerKind
  readonly probe: (url: string) => LoadRequest
}

/** With its own defaults: one worker, no database, no key of its own. Nothing is asked of the network. */
export const startLiteLLM = async ({ folder, litellm, upstream, answer, probe }: LiteLLMOptions): Promise<Subject> => {
  const runsIn = await mkdtemp(join(folder, 'litellm-'))
  const config = join(runsIn, 'config.yaml')
  const params = {
    model: 'openai/gpt-5-mini',
    api_base: `${upstream.url('openai', answer)}/v1`,
    api_key: 'sk-of-the-operator',
  }
  await writeFile(config, JSON.stringify({ model_list: [{ model_name: 'gpt-5-mini', litellm_params: params }] }))
  return startSubject({
    name: 'LiteLLM',
    folder,
    runsIn,
    command: (port) => [litellm.script, '--config', config, '--host', '127.0.0.1', '--port', String(port)],
    env: () => ({ LITELLM_TELEMETRY: 'False', LITELLM_LOCAL_MODEL_COST_MAP: 'True' }),
    probe,
  })
}
