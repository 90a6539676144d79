import type { ReadyStream } from '../../../core/bodies/ready-stream.ts'
import type { BodyStream } from '../../../core/ports.ts'
import { FileNotFound, InvalidRequest } from '../../../errors/gateway-error.ts'
import type { FileHost, KeptCallOf, NewKeptFile } from './by.ts'
import { FILES_PREFIX, nameObject, type ObjectTag, readObjectName } from './object-names.ts'
import type { KeptFile } from './objects.ts'
import { inputOfOneModel, leftOut, needSame, type OneModelOptions } from './one-model.ts'
import { type ListPage, partOfItems } from './pages.ts'

/** An object of a bucket. */
export interface BucketObject {
  readonly name: string
  readonly bytes: number
  /** Seconds since 1970. */
  readonly createdAt: number
}

export interface ObjectPage {
  /** By name. */
  readonly objects: readonly BucketObject[]
  /** For the page behind it. Absent: it is the last. */
  readonly next?: string | undefined
}

/** A bucket of a call, as its service is asked about it. */
export interface Bucket {
  readonly name: string
  put(name: string, content: BodyStream, type: string): Promise<void>
  /** @param after name that the list goes on behind @param token that a page gave for the one behind it */
  list(
    prefix: string,
    options?: { readonly after?: string | undefined; readonly token?: string | undefined },
  ): Promise<ObjectPage>
  read(name: string): Promise<ReadyStream>
  remove(name: string): Promise<void>
}

/** What becomes of an id that stands for the results of a batch. */
export interface BatchOutputs {
  /** What it lies in. @throws FileNotFound */
  find(call: KeptCallOf, batch: string): Promise<BucketObject>
  /** In the reference form. */
  open(call: KeptCallOf, batch: string): Promise<ReadyStream>
}

export interface BucketFilesOptions extends Pick<FileHost, 'baseURL'> {
  /** `s3` */
  readonly scheme: string
  /** The bucket that a call names. @throws a catalogue error where it names none */
  bucketOf(call: KeptCallOf): Bucket
  /** How lines of batches are written. */
  readonly lines: OneModelOptions
  readonly outputs: BatchOutputs
}

/** The results of a batch, which are translated as they are read: `output-` and the id of the batch. */
const OUTPUT = /^output-([A-Za-z0-9-]{1,128})$/

export const outputIdOfBatch = (batch: string): string => `output-${batch}`

const batchOf = ({ id }: KeptCallOf): string | undefined => OUTPUT.exec(id)?.[1]

/** Id of a file: its URI, in letters that a path may have. */
export const objectFileId = (scheme: string, bucket: string, name: string): string =>
  `${scheme}-${Buffer.from(`${bucket}/${name}`).toString('base64url')}`

/** The URI that an id of a file stands for: its own words where it is none. */
export const uriOfFile = (scheme: string, id: string): string => {
  const start = `${scheme}-`
  const coded = id.startsWith(start) ? id.slice(start.length) : ''
  if (/^[A-Za-z0-9_-]+$/.test(coded)) return `${scheme}://${Buffer.from(coded, 'base64url').toString()}`
  return id.toLowerCase().startsWith(`${scheme}%3a`) ? decoded(id) : id
}

/**
 * The object that an id names, in the bucket of the call.
 * @throws InvalidRequest for an id of another bucket, or of what Weir did not put there
 */
const objectOfId = (
  id: string,
  { scheme, bucket, param }: { readonly scheme: string; readonly bucket: string; readonly param: string },
): { readonly name: string; readonly tag: ObjectTag } => {
  const uri = uriOfFile(scheme, id)
  const start = `${scheme}://${bucket}/`
  const name = uri.startsWith(start) ? uri.slice(start.length) : ''
  const tag = readObjectName(name)
  if (tag !== undefined) return { name, tag }
  throw new InvalidRequest(`\`${param}\` is no file that this gateway keeps in the bucket of the call.`, { param })
}

/**
 * The input of a batch that a call asks for, with the path and the model of its lines.
 * @throws InvalidRequest for a file that is none in the bucket of the call, or of another purpose, path or model
 */
export const batchInput = (
  asked: Readonly<Record<string, unknown>>,
  place: { readonly scheme: string; readonly bucket: string },
): { readonly uri: string; readonly url: string; readonly model: string } => {
  const param = 'input_file_id'
  const { name, tag } = objectOfId(String(asked.input_file_id), { ...place, param })
  if (tag.lines === undefined) {
    throw new InvalidRequest(`The input file is for \`${tag.purpose}\`: upload one with the purpose \`batch\`.`, {
      param,
    })
  }
  needSame(asked, tag.lines)
  return { uri: `${place.scheme}://${place.bucket}/${name}`, ...tag.lines }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** The files of a provider whose place for them is a bucket. Only what Weir put there is shown, read or deleted. */
export const bucketFiles = ({ baseURL, scheme, bucketOf, lines, outputs }: BucketFilesOptions): FileHost => {
  const toFile = (bucket: Bucket, { name, bytes, createdAt }: BucketObject): KeptFile[] => {
    const tag = readObjectName(name)
    if (tag === undefined) return []
    const { purpose, filename } = tag
    return [{ id: objectFileId(scheme, bucket.name, name), bytes, createdAt, purpose, filename }]
  }
  const nameOf = (call: KeptCallOf, bucket: Bucket): string =>
    objectOfId(call.id, { scheme, bucket: bucket.name, param: 'file_id' }).name

  /** @throws FileNotFound */
  const find = async (call: KeptCallOf, bucket: Bucket): Promise<KeptFile> => {
    const name = nameOf(call, bucket)
    const { objects } = await bucket.list(name)
    const [file] = objects.filter((object) => object.name === name).flatMap((object) => toFile(bucket, object))
    if (file === undefined) throw new FileNotFound(`No such File object: ${call.id.slice(0, 300)}`, { param: 'id' })
    return file
  }

  const create = async ({ file, purpose }: NewKeptFile, call: KeptCallOf): Promise<KeptFile> => {
    if (!/^[\w-]{1,40}$/.test(purpose)) {
      throw new InvalidRequest('`purpose` must be a word such as `batch`.', { param: 'purpose' })
    }
    const bucket = bucketOf(call)
    const { callId: id, created: createdAt } = call.context
    const filename = file.filename === '' ? 'file' : file.filename
    const keep = async (tag: ObjectTag, content: BodyStream, type: string): Promise<KeptFile> => {
      const name = nameObject(tag, { id, createdAt })
      await bucket.put(name, content, type)
      return {
        id: objectFileId(scheme, bucket.name, name),
        bytes: content.length ?? 0,
        createdAt,
        purpose,
        filename: tag.filename,
      }
    }
    if (purpose !== 'batch') {
      const type = file.type === '' ? 'application/octet-stream' : file.type
      return await keep({ purpose, filename }, call.contentOf(file), type)
    }
    const input = await inputOfOneModel({ file }, call, lines)
    const tag: ObjectTag = {
      purpose,
      filename: filename.endsWith('.jsonl') ? filename : `${filename}.jsonl`,
      lines: { url: input.url, model: input.model },
    }
    return { ...(await keep(tag, input.open(), 'application/jsonl')), details: leftOut(input) }
  }

  const page = async (
    bucket: Bucket,
    purpose: string | undefined,
    from: { readonly after?: string | undefined; readonly token?: string | undefined },
  ): Promise<ListPage<KeptFile>> => {
    const { objects, next } = await bucket.list(FILES_PREFIX, from)
    return {
      items: objects
        .flatMap((object) => toFile(bucket, object))
        .filter((file) => purpose === undefined || file.purpose === purpose),
      next: next === undefined ? undefined : () => page(bucket, purpose, { token: next }),
    }
  }

  return {
    ...(baseURL === undefined ? {} : { baseURL }),
    create,
    list(query, call) {
      const bucket = bucketOf(call)
      const { after: id } = query
      const after = id === undefined ? undefined : objectOfId(id, { scheme, bucket: bucket.name, param: 'after' }).name
      return partOfItems(page(bucket, query.purpose, { after }), { ...query, after: undefined })
    },
    async read(call) {
      const batch = batchOf(call)
      if (batch === undefined) return await find(call, bucketOf(call))
      const { name, bytes, createdAt } = await outputs.find(call, batch)
      return { id: call.id, bytes, createdAt, purpose: 'batch_output', filename: name.split('/').at(-1) ?? name }
    },
    async remove(call) {
      const bucket = bucketOf(call)
      await find(call, bucket)
      await bucket.remove(nameOf(call, bucket))
    },
    async content(call) {
      const batch = batchOf(call)
      if (batch !== undefined) return await outputs.open(call, batch)
      const bucket = bucketOf(call)
      return await bucket.read(nameOf(call, bucket))
    },
  }
}
