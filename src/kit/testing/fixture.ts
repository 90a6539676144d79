import { readdirSync, readFileSync } from 'node:fs'
import { isRecord } from '../../core/json/record.ts'
import type { Usage } from '../../core/usage.ts'
import type { Failure } from '../provider/provider.ts'

/** One recorded case: a JSON file of a provider's `fixtures` folder. A golden that is left out is not compared. */
export interface Fixture {
  /** What it shows, and where the recorded form comes from (page, date read). */
  readonly note: string
  /** Id of the provider; only for a plugin that brings several. */
  readonly provider?: string
  /** Form of the adapter that it is about: `chat`, `rerank`. */
  readonly endpoint: string
  /** Values for `settings` of the provider, over its defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** Default true. */
  readonly strict?: boolean
  /** The client asked for the provider's own finish reasons. */
  readonly ownFinishReason?: true
  /** Default false. */
  readonly includeUsage?: boolean
  /** A file of a form is `{"$file": {"filename", "type", "content"}}`, its content a text. */
  readonly request: Readonly<Record<string, unknown>>
  /** What stands in the client's path for the names of its route. */
  readonly pathParams?: Readonly<Record<string, string>>
  /** The client's query, with its `?`. */
  readonly search?: string
  /** What is sent; the path is below the base URL. `body: null`: the client's bytes go out unchanged. */
  readonly upstream?: {
    readonly path?: string
    readonly body?: Readonly<Record<string, unknown>> | null
    /** Names of the parameters that are lost. Default: none. */
    readonly dropped?: readonly string[]
  }
  /** Status of the provider's answer. Default 200. */
  readonly status?: number
  /** JSON body of the provider's answer. */
  readonly answer?: unknown
  /** Raw server-sent events of the provider, instead of `answer`. */
  readonly stream?: string
  /** The bytes of a stream in another framing, in base64, instead of `stream`. */
  readonly framedStream?: string
  /** The reply a client gets. */
  readonly reply?: unknown
  /** The chunks a client gets; with `failure`, those before the error. */
  readonly chunks?: readonly unknown[]
  /** Name of the answer case (file name without `.json`) that the chunks add up to. */
  readonly sameAs?: string
  readonly usage?: Usage
  /** For a status of 400 and above: the words for it. Below: the error that `reply` or the stream throws. */
  readonly failure?: Failure & { readonly status?: number }
}

export interface FixtureCase {
  /** File name without `.json`. */
  readonly name: string
  readonly fixture: Fixture
}

const KEYS: ReadonlySet<string> = new Set<keyof Fixture>([
  'note',
  'provider',
  'endpoint',
  'settings',
  'strict',
  'ownFinishReason',
  'includeUsage',
  'request',
  'pathParams',
  'search',
  'upstream',
  'status',
  'answer',
  'stream',
  'framedStream',
  'reply',
  'chunks',
  'sameAs',
  'usage',
  'failure',
])

/**
 * Reads every `*.json` of a folder, by name. Synchronous, so that each case can be registered as a test of its own.
 * @throws Error naming the file, for one that is not a fixture; Error for a folder without any.
 */
export const loadFixtures = (folder: URL): FixtureCase[] => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  if (files.length === 0)
    throw new Error(`no fixtures in ${folder.pathname}: a provider without recorded cases is untested`)
  return files.sort().map((file) => ({
    name: file.slice(0, -'.json'.length),
    fixture: checkFixture(file, JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
  }))
}

/** Catches the typing errors that would make a case check less than it seems to. */
const checkFixture = (file: string, value: unknown): Fixture => {
  const refuse = (problem: string): never => {
    throw new Error(`${file}: ${problem}`)
  }
  if (!isRecord(value)) return refuse('must be a JSON object')
  const unknown = Object.keys(value).filter((key) => !KEYS.has(key))
  if (unknown.length > 0) refuse(`unknown keys: ${unknown.join(', ')}`)
  if (typeof value.note !== 'string' || value.note === '') refuse('`note` must say what the case shows')
  if (typeof value.endpoint !== 'string') refuse('`endpoint` must name a form')
  if (!isRecord(value.request)) refuse('`request` must be an object')
  if (value.stream !== undefined && typeof value.stream !== 'string') refuse('`stream` must be the raw text')
  const streams = [value.stream, value.framedStream].filter((stream) => stream !== undefined)
  if (streams.length > 1) refuse('has both `stream` and `framedStream`')
  if ('answer' in value && streams.length > 0) refuse('has both `answer` and a stream')
  if (value.chunks !== undefined && !Array.isArray(value.chunks)) refuse('`chunks` must be an array')
  if (value.chunks !== undefined && streams.length === 0) refuse('has `chunks` but no stream')
  if (value.sameAs !== undefined && streams.length === 0) refuse('has `sameAs` but no stream')
  if ('reply' in value && !('answer' in value)) refuse('has `reply` but no `answer`')
  if (value.upstream !== undefined && !isRecord(value.upstream)) refuse('`upstream` must be an object')
  if (typeof value.status === 'number' && value.status >= 400 && value.failure === undefined) {
    refuse('has a status of an error but no `failure`')
  }
  if (!GOLDENS.some((key) => key in value)) refuse(`compares nothing: give it one of ${GOLDENS.join(', ')}`)
  return value as unknown as Fixture
}

const GOLDENS = ['upstream', 'reply', 'chunks', 'sameAs', 'usage', 'failure']

/** Whether a case is about an answer that streams. */
export const isStreamed = ({ stream, framedStream }: Fixture): boolean =>
  stream !== undefined || framedStream !== undefined

/** The bytes of its stream. */
export const streamBytes = ({ stream, framedStream = '' }: Fixture): Uint8Array =>
  stream === undefined ? Buffer.from(framedStream, 'base64') : Buffer.from(stream)
