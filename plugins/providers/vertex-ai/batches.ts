/**
 * Batches at Vertex AI: batches.py of google-genai 3.6.1 (PyPI), "Batch inference from Cloud Storage" and "Batch predictions with
 * Anthropic Claude models" of docs.cloud.google.com, read 2026-11-25. Files are in a bucket of Cloud Storage, where a job writes its
 * results too. That a job gives back what stands beside a request, and makes numbers of texts that look like one, is no page's word but
 * that of a public research note of OpenRouter's (2026-09-02).
 */
import { defined, FileNotFound, InvalidRequest, isRecord, type ReadyStream } from '#kit'
import {
  answersOf,
  type BatchHost,
  type BatchResult,
  type Bucket,
  type BucketObject,
  batchesBy,
  batchInput,
  begunInTurn,
  bucketFiles,
  filesBy,
  type KeptBatch,
  type KeptCallOf,
  type ListPage,
  type OneModelOptions,
  OUTPUTS_PREFIX,
  objectsIn,
  partOfItems,
  resultLines,
  wordOf,
} from '#kit/provider'
import { fieldsIn, folderOf, readURI, toBatch } from './batch-job.ts'
import { readModel, segmentOf } from './model.ts'
import { projectPath } from './place.ts'
import { bucketAt, bucketName, bucketOf } from './storage.ts'

type Fields = Readonly<Record<string, unknown>>

/** In front of the ids of lines, so that none looks like a number. */
const ID = 'id-'

const LINES: OneModelOptions = {
  urls: ['/v1/chat/completions', '/v1/completions'],
  write({ customId, model, translated }) {
    const { maker } = readModel(model)
    if (maker !== 'google' && maker !== 'anthropic') {
      throw new InvalidRequest('batches of Vertex AI are of models of Google and Anthropic.', { param: 'file' })
    }
    return { custom_id: `${ID}${customId}`, request: translated.body }
  },
}

/** Where the jobs of a project are. */
const pathOf = ({ context: { settings } }: Pick<KeptCallOf, 'context'>): string =>
  `${projectPath('v1', settings)}/batchPredictionJobs`

/** Where a job writes. @throws InvalidRequest for what is no place */
const outputPrefix = ({ asked, context: { settings, callId } }: KeptCallOf, more: Fields): string => {
  const given = asked.output_data_config ?? more.output_data_config
  const said =
    wordOf(given) ?? (isRecord(given) ? wordOf(fieldsIn(given, 'gcsDestination').outputUriPrefix) : undefined)
  // Jobs of one moment would write over each other in one folder.
  if (said === undefined) return `gs://${bucketName(settings)}/${OUTPUTS_PREFIX}${callId}`
  if (said.startsWith('gs://')) return said
  throw new InvalidRequest('`output_data_config` must be a URI such as `gs://bucket/folder`.', {
    param: 'output_data_config',
  })
}

const create: BatchHost['create'] = async (call) => {
  const { asked, context, send } = call
  const { uri, model } = batchInput(asked, { scheme: 'gs', bucket: bucketName(context.settings) })
  const more = fieldsIn(asked, 'provider_options')
  const { maker, name: bare } = readModel(model)
  const body = defined({
    displayName: wordOf(asked.job_name) ?? wordOf(more.job_name) ?? `weir-${context.callId}`,
    model: `publishers/${maker}/models/${segmentOf(bare)}`,
    inputConfig: { instancesFormat: 'jsonl', gcsSource: { uris: [uri] } },
    outputConfig: { predictionsFormat: 'jsonl', gcsDestination: { outputUriPrefix: outputPrefix(call, more) } },
    labels: isRecord(more.labels) ? more.labels : undefined,
  })
  return toBatch(await (await send({ method: 'POST', url: pathOf(call), body })).json())
}

const shown = async (call: Pick<KeptCallOf, 'context' | 'send'>, id: string): Promise<Fields> =>
  (await call.send({ method: 'GET', url: `${pathOf(call)}/${encodeURIComponent(id)}` })).json()

const page = async (call: Pick<KeptCallOf, 'context' | 'send'>, token = ''): Promise<ListPage<KeptBatch>> => {
  const behind = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
  const answer = await (await call.send({ method: 'GET', url: `${pathOf(call)}?pageSize=100${behind}` })).json()
  const next = wordOf(answer.nextPageToken)
  return {
    items: objectsIn(answer, 'batchPredictionJobs')
      .map(toBatch)
      .toSorted((one, other) => other.createdAt - one.createdAt),
    next: next === undefined ? undefined : () => page(call, next),
  }
}

/** `status` is empty, or tells of the error: some words, and the error as Google writes it. */
const toResult = ({ custom_id: id, status, response }: Fields): BatchResult => {
  const customId = String(id ?? '').replace(ID, '')
  const said = wordOf(status)
  if (said === undefined && isRecord(response)) {
    return { customId, status: 200, requestId: wordOf(response.responseId) ?? wordOf(response.id), body: response }
  }
  const error = errorIn(said ?? '')
  const message = wordOf(error.message) ?? said ?? 'The request failed.'
  const { code } = error
  return typeof code === 'number' && code >= 400
    ? {
        customId,
        status: code,
        body: { error: { message, type: wordOf(error.status) ?? null, param: null, code: null } },
      }
    : { customId, error: { code: wordOf(error.status) ?? 'request_failed', message } }
}

/** A job writes one object, or some: never as many as that. */
const MOST_PAGES = 5

const allIn = async (bucket: Bucket, prefix: string): Promise<readonly BucketObject[]> => {
  const all: BucketObject[] = []
  let token: string | undefined
  for (let read = 0; read < MOST_PAGES; read++) {
    const page = await bucket.list(prefix, { token })
    all.push(...page.objects)
    token = page.next
    if (token === undefined) break
  }
  return all
}

const errorIn = (text: string): Fields => {
  try {
    const said: unknown = JSON.parse(text.slice(text.indexOf('{')))
    return isRecord(said) ? fieldsIn(said, 'error') : {}
  } catch {
    return {}
  }
}

/** @param storageURL in the place of Cloud Storage */
export const keptAt = (storageURL: string | undefined) => {
  /** What a job wrote: one object, or more of a long one. */
  const resultsOf = async (call: KeptCallOf, job: Fields) => {
    const uri = folderOf(job)
    if (uri === undefined) throw new FileNotFound('The batch has no output.')
    const { bucket: name, name: folder } = readURI(uri)
    const bucket = bucketAt(call, name, storageURL)
    const found = (await allIn(bucket, folder.endsWith('/') ? folder : `${folder}/`)).filter((object) =>
      /\/predictions?[^/]*\.jsonl[^/]*$/.test(object.name),
    )
    if (found.length === 0) throw new FileNotFound('The batch has no output.')
    return { bucket, found }
  }

  const outputOf = async (call: KeptCallOf, job: Fields): Promise<ReadyStream> => {
    const { bucket, found } = await resultsOf(call, job)
    const batch = { ...toBatch(job), model: wordOf(job.model) }
    const lines = await begunInTurn(
      found.map(
        ({ name }) =>
          () =>
            bucket.read(name),
      ),
    )
    return resultLines(lines, toResult, answersOf(call.translate, batch))
  }

  const find = async (call: KeptCallOf, id: string): Promise<BucketObject> => {
    const { found } = await resultsOf(call, await shown(call, id))
    const bytes = found.reduce((sum, object) => sum + object.bytes, 0)
    return { name: 'predictions.jsonl', bytes, createdAt: found[0]?.createdAt ?? 0 }
  }

  return {
    ...filesBy(
      bucketFiles({
        scheme: 'gs',
        bucketOf: (call) => bucketOf(call, storageURL),
        lines: LINES,
        outputs: { find, open: async (call, id) => outputOf(call, await shown(call, id)) },
      }),
    ),
    ...batchesBy({
      loses: ['metadata', 'output_expires_after'],
      create,
      list: (query, call) => partOfItems(page(call), query),
      read: async (call) => toBatch(await shown(call, call.id)),
      async cancel(call) {
        await (await call.send({ method: 'POST', url: `${pathOf(call)}/${call.segment}:cancel`, body: {} })).text()
        return toBatch(await shown(call, call.id))
      },
      output: async (_batch, call) => outputOf(call, await shown(call, call.id)),
    }),
  }
}
