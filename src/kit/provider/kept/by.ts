import type { ReadyStream } from '../../../core/bodies/ready-stream.ts'
import { FormFile } from '../../../core/forms/form-file.ts'
import { BatchConflict, FileNotFound, InvalidRequest } from '../../../errors/gateway-error.ts'
import { type Exchange, type Performed, type Performing, performing } from '../exchange.ts'
import type { Adapter } from '../provider.ts'
import { type KeptBatch, type KeptFile, showBatch, showFile } from './objects.ts'
import { type ListPart, type ListQuery, readListQuery } from './pages.ts'

type Fields = Readonly<Record<string, unknown>>
type Settings = Readonly<Record<string, string>>

/** What a call may say of a file beside it, as `settings` of a provider. */
export const FILE_SETTINGS = {
  provider_model: 'provider-model',
  provider_file_name: 'provider-file-name',
} as const

/** The interface has names of its own for Bedrock. */
const NAME_SETTINGS = ['provider_file_name', 'aws_s3_object_key'] as const
const MODEL_SETTINGS = ['provider_model', 'aws_bedrock_model'] as const

const firstSaid = (settings: Settings, names: readonly string[]): string | undefined =>
  names.map((name) => settings[name]).find((said) => said !== undefined && said !== '')

/** The model of lines that name none. */
export const modelOfLines = (settings: Settings): string | undefined => firstSaid(settings, MODEL_SETTINGS)

/** A call about files or batches that are in the words of a provider. */
export interface KeptCallOf
  extends Pick<Performing<string>, 'baseURL' | 'context' | 'contentOf' | 'ownFiles' | 'translate'> {
  readonly send: Exchange['send']
  /** Fields of the client's body. */
  readonly asked: Fields
  /** Of the file or batch that the path names, as the client says it. */
  readonly id: string
  /** The same, as a segment of a path. */
  readonly segment: string
}

/** A file that a client sends. */
export interface NewKeptFile {
  readonly file: FormFile
  readonly purpose: string
  /** Seconds that it shall be kept for. */
  readonly expiresAfter: number | undefined
}

interface Host {
  /** Where it is asked, where that is another host than the provider's. */
  readonly baseURL?: Adapter<string>['baseURL']
}

/** A provider whose files have a form of their own. */
export interface FileHost extends Host {
  /** Whether it can be told when a file expires. */
  readonly expires?: true
  create(file: NewKeptFile, call: KeptCallOf): Promise<KeptFile>
  read(call: KeptCallOf): Promise<KeptFile>
  remove(call: KeptCallOf): Promise<void>
  /** The newest first. */
  list(query: ListQuery, call: KeptCallOf): Promise<ListPart<KeptFile>>
  content(call: KeptCallOf): Promise<ReadyStream>
}

/** A provider whose batches have a form of their own. */
export interface BatchHost extends Host {
  /** Fields of a new batch that it cannot be told; they are named as lost. Absent: none. */
  readonly loses?: readonly string[]
  create(call: KeptCallOf): Promise<KeptBatch>
  read(call: KeptCallOf): Promise<KeptBatch>
  cancel(call: KeptCallOf): Promise<KeptBatch>
  /** The newest first. */
  list(query: ListQuery, call: KeptCallOf): Promise<ListPart<KeptBatch>>
  /** Results of one that has ended, in the reference form, failures among them. */
  output(batch: KeptBatch, call: KeptCallOf): Promise<ReadyStream>
}

type FileForm = 'file-create' | 'file-info' | 'file-delete' | 'file-list' | 'file-content'
type BatchForm = 'batch-create' | 'batch-info' | 'batch-cancel' | 'batch-list' | 'batch-output'

export type FileAdapters = { readonly [Form in FileForm]: Adapter<Form> }
export type BatchAdapters = { readonly [Form in BatchForm]: Adapter<Form> }

/** @param parameter of the path that names the thing */
const adapterOf = <Form extends string>(
  { baseURL }: Host,
  parameter: 'file_id' | 'batch_id',
  answer: (call: KeptCallOf) => Promise<Performed<Form>>,
): Adapter<Form> => ({
  ...performing<Form>(({ request, context, baseURL, contentOf, ownFiles, translate }: Performing<Form>, { send }) => {
    const id = context.pathParams?.[parameter] ?? ''
    const asked = request as Fields
    return answer({
      context,
      baseURL,
      contentOf,
      ownFiles,
      translate,
      send,
      asked,
      id,
      segment: encodeURIComponent(id),
    })
  }),
  ...(baseURL === undefined ? {} : { baseURL }),
})

const shown = <Form extends string>(reply: Fields): Performed<Form> => ({ reply: reply as never })

const listed = <Form extends string, Item>(
  { items, hasMore }: ListPart<Item>,
  show: (item: Item) => Fields,
): Performed<Form> => {
  const data = items.map(show)
  return shown({
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  })
}

/** An answer of bytes. */
export const bytes = <Form extends string>(body: ReadyStream): Performed<Form> => ({
  body,
  type: 'application/octet-stream',
  headers: { 'x-content-type-options': 'nosniff' },
})

/** Files of a list, where the call says nothing and at most: other than OpenAI's 10,000, as providers give fewer in a page. */
const LISTED_FILES = 100
const MOST_FILES = 10_000

/** Batches of a list, where the call says nothing and at most. */
const LISTED = 20
const MOST = 100

/** The adapters of a provider for its files. */
export const filesBy = (host: FileHost): FileAdapters => ({
  'file-create': {
    ...adapterOf<'file-create'>(host, 'file_id', async (call) =>
      shown(showFile(await host.create(readNewFile(call.asked, call.context.settings), call))),
    ),
    loses: (asked) => (host.expires === true || secondsOf(asked) === undefined ? [] : ['expires_after']),
  },
  'file-info': adapterOf(host, 'file_id', async (call) => shown(showFile(await host.read(call)))),
  'file-delete': adapterOf(host, 'file_id', async (call) => {
    await host.remove(call)
    return shown({ id: call.id, object: 'file', deleted: true })
  }),
  'file-list': adapterOf(host, 'file_id', async (call) =>
    listed(await host.list(readListQuery(call.context.search ?? '', LISTED_FILES, MOST_FILES), call), showFile),
  ),
  'file-content': adapterOf(host, 'file_id', async (call) => bytes(await host.content(call))),
})

const readNewFile = (asked: Fields, settings: Settings): NewKeptFile => {
  const { file, purpose } = asked
  if (!(file instanceof FormFile)) throw new InvalidRequest('`file` must be a file.', { param: 'file' })
  const name = firstSaid(settings, NAME_SETTINGS)
  const { type, start, end } = file
  const named = name === undefined ? file : new FormFile({ filename: lastPart(name), type, start, end })
  return { file: named, purpose: String(purpose), expiresAfter: secondsOf(asked) }
}

/** A name of a file is no path, whoever says it. */
const lastPart = (name: string): string => name.split(/[/\\]/).at(-1) ?? ''

/** `expires_after[seconds]`. */
const secondsOf = ({ expires_after: after }: Fields): number | undefined => {
  const said = typeof after === 'object' && after !== null && 'seconds' in after ? after.seconds : undefined
  if (said === undefined || said === null) return undefined
  const seconds = typeof said === 'string' && /^\d{1,9}$/.test(said) ? Number(said) : said
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0) return seconds
  throw new InvalidRequest('`expires_after[seconds]` must be a whole number.', { param: 'expires_after[seconds]' })
}

/** The adapters of a provider for its batches. */
export const batchesBy = (host: BatchHost): BatchAdapters => {
  const adapter = <Form extends BatchForm>(answer: (call: KeptCallOf) => Promise<Performed<Form>>) =>
    adapterOf<Form>(host, 'batch_id', answer)
  return {
    'batch-create': {
      ...adapter<'batch-create'>(async (call) => {
        const made = await host.create(call)
        return shown(showBatch({ ...made, inputFile: made.inputFile ?? String(call.asked.input_file_id) }))
      }),
      loses: (asked: Fields) => (host.loses ?? []).filter((name) => asked[name] !== undefined && asked[name] !== null),
    },
    'batch-info': adapter(async (call) => shown(showBatch(await host.read(call)))),
    'batch-cancel': adapter(async (call) => shown(showBatch(await host.cancel(call)))),
    'batch-list': adapter(async (call) =>
      listed(await host.list(readListQuery(call.context.search ?? '', LISTED, MOST), call), showBatch),
    ),
    'batch-output': adapter(async (call) => {
      const batch = await host.read(call)
      if (!HAS_ENDED.has(batch.status)) {
        throw new BatchConflict(`The batch has no output yet: it is '${batch.status}'.`)
      }
      if (batch.outputFile === undefined && batch.errorFile === undefined) {
        throw new FileNotFound('The batch has no output: no request of it was answered, or it was deleted.')
      }
      return bytes(await host.output(batch, call))
    }),
  }
}

export const HAS_ENDED: ReadonlySet<string> = new Set(['failed', 'completed', 'expired', 'cancelled'])
