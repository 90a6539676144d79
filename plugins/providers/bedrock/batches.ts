/**
 * Batches at Amazon Bedrock: `CreateModelInvocationJob` and its like of "Amazon Bedrock", as botocore 1.44.8 publishes them, and "Format and
 * upload your batch inference data" and "View the results of a batch inference job" of the user guide, read 2026-11-25. Files are
 * in a bucket of S3, where a job writes its results too. A job has one model; chats are asked by Converse.
 */
import { defined, FileNotFound, InvalidRequest, isRecord, type ReadyStream } from '#kit'
import {
  answersOf,
  type BatchHost,
  type BatchResult,
  type BucketObject,
  batchesBy,
  batchInput,
  bucketFiles,
  filesBy,
  type KeptBatch,
  type KeptCallOf,
  type ListPage,
  type OneModelOptions,
  OUTPUTS_PREFIX,
  objectsIn,
  type Provider,
  partOfItems,
  resultLines,
  wordOf,
} from '#kit/provider'
import { idOf, inS3, readURI, toBatch } from './batch-job.ts'
import { bucketAt, bucketName, bucketOf } from './s3.ts'

type Fields = Readonly<Record<string, unknown>>

const PATH = '/model-invocation-job'

/** Fields of its own (`CreateModelInvocationJobRequest`). */
const OWN = ['timeoutDurationInHours', 'vpcConfig', 'tags'] as const

const EMBEDDINGS = '/v1/embeddings'
const URLS = ['/v1/chat/completions', '/v1/completions', EMBEDDINGS]

const LINES: OneModelOptions = {
  urls: URLS,
  write: ({ customId, translated }) => ({ recordId: customId, modelInput: translated.body }),
}

/** What a call says of a new job, in either place. @throws InvalidRequest for what is missing */
const optionsOf = ({
  asked,
  context,
}: KeptCallOf): { readonly role: string; readonly output: string; readonly more: Fields } => {
  const more = isRecord(asked.provider_options) ? asked.provider_options : {}
  const role = wordOf(asked.role_arn) ?? wordOf(more.role_arn)
  if (role === undefined) {
    throw new InvalidRequest(
      '`role_arn` is needed for a batch at Bedrock: the role that reads and writes the bucket.',
      {
        param: 'role_arn',
      },
    )
  }
  const given = asked.output_data_config ?? more.output_data_config
  const said = wordOf(given) ?? inS3(given, 's3OutputDataConfig')
  if (said !== undefined && !said.startsWith('s3://')) {
    throw new InvalidRequest('`output_data_config` must be a URI such as `s3://bucket/folder/`.', {
      param: 'output_data_config',
    })
  }
  return { role, output: said ?? `s3://${bucketName(context.settings)}/${OUTPUTS_PREFIX}`, more }
}

const create: BatchHost['create'] = async (call) => {
  const { asked, context, send } = call
  const { uri, url, model } = batchInput(asked, { scheme: 's3', bucket: bucketName(context.settings) })
  const { role, output, more } = optionsOf(call)
  const body = defined({
    jobName: wordOf(asked.job_name) ?? wordOf(more.job_name) ?? `weir-${context.callId}`,
    clientRequestToken: context.callId,
    roleArn: role,
    modelId: model,
    modelInvocationType: url === EMBEDDINGS ? 'InvokeModel' : 'Converse',
    inputDataConfig: { s3InputDataConfig: { s3InputFormat: 'JSONL', s3Uri: uri } },
    outputDataConfig: { s3OutputDataConfig: { s3Uri: output.endsWith('/') ? output : `${output}/` } },
    ...Object.fromEntries(OWN.flatMap((field) => (more[field] === undefined ? [] : [[field, more[field]]]))),
  })
  const made = await (await send({ method: 'POST', url: PATH, body })).json()
  return toBatch(await shown(call, idOf(made)))
}

type Sends = Pick<KeptCallOf, 'send'>

const shown = async ({ send }: Sends, id: string): Promise<Fields> =>
  (await send({ method: 'GET', url: `${PATH}/${encodeURIComponent(id)}` })).json()

const page = async ({ send }: Sends, token = ''): Promise<ListPage<KeptBatch>> => {
  const behind = token === '' ? '' : `&nextToken=${encodeURIComponent(token)}`
  const url = `${PATH}s?maxResults=100&sortBy=CreationTime&sortOrder=Descending${behind}`
  const answer = await (await send({ method: 'GET', url })).json()
  const next = wordOf(answer.nextToken)
  return {
    items: objectsIn(answer, 'invocationJobSummaries').map(toBatch),
    next: next === undefined ? undefined : () => page({ send }, next),
  }
}

/** An error stands in the place of an answer; a number in it is a status. */
const toResult = ({ recordId, modelOutput, error }: Fields): BatchResult => {
  const customId = String(recordId ?? '')
  if (!isRecord(error)) return { customId, status: 200, body: modelOutput }
  const { errorCode: code, errorMessage: words } = error
  const message = wordOf(words) ?? 'The request failed.'
  return typeof code === 'number'
    ? { customId, status: code, body: { error: { message, type: null, param: null, code: null } } }
    : { customId, error: { code: wordOf(code) ?? 'request_failed', message } }
}

/** @param storageURL in the place of S3 @param baseURL of the control plane */
export const keptAt = ({ baseURL }: { readonly baseURL?: Provider['baseURL'] }, storageURL: string | undefined) => {
  /** A job writes into a folder of its own, under the name of its input. */
  const resultsOf = (call: KeptCallOf, job: Fields) => {
    const to = inS3(job.outputDataConfig, 's3OutputDataConfig')
    const from = inS3(job.inputDataConfig, 's3InputDataConfig')?.split('/').at(-1)
    if (to === undefined || from === undefined) throw new FileNotFound('The batch has no output.')
    const { bucket, name } = readURI(to)
    const folder = name === '' || name.endsWith('/') ? name : `${name}/`
    return { bucket: bucketAt(call, bucket, storageURL), name: `${folder}${idOf(job)}/${from}.out` }
  }

  const outputOf = async (call: KeptCallOf, job: Fields): Promise<ReadyStream> => {
    const { bucket, name } = resultsOf(call, job)
    return resultLines(await bucket.read(name), toResult, answersOf(call.translate, toBatch(job)))
  }

  const find = async (call: KeptCallOf, id: string): Promise<BucketObject> => {
    const { bucket, name } = resultsOf(call, await shown(call, id))
    const found = (await bucket.list(name)).objects.find((object) => object.name === name)
    if (found === undefined) throw new FileNotFound('The batch has no output.')
    return found
  }

  return {
    ...filesBy(
      bucketFiles({
        baseURL,
        scheme: 's3',
        bucketOf: (call) => bucketOf(call, storageURL),
        lines: LINES,
        outputs: { find, open: async (call, id) => outputOf(call, await shown(call, id)) },
      }),
    ),
    ...batchesBy({
      ...(baseURL === undefined ? {} : { baseURL }),
      loses: ['metadata', 'output_expires_after'],
      create,
      list: (query, call) => partOfItems(page(call), query),
      read: async (call) => toBatch(await shown(call, call.id)),
      async cancel(call) {
        await (await call.send({ method: 'POST', url: `${PATH}/${call.segment}/stop` })).text()
        return toBatch(await shown(call, call.id))
      },
      output: async (_batch, call) => outputOf(call, await shown(call, call.id)),
    }),
  }
}
