/**
 * Objects of a bucket of S3: `ListObjectsV2`, `GetObject`, `PutObject` and `DeleteObject` of "Amazon S3", as botocore 1.44.8 publishes
 * them, read 2026-11-25. A bucket stands in the path: its name never makes a host.
 */
import { defined, InvalidRequest, UpstreamInvalid } from '#kit'
import { serviceURL } from '#kit/aws'
import { type Bucket, type BucketObject, FILE_SETTINGS, type KeptCallOf, secondsOf } from '#kit/provider'

type Settings = Readonly<Record<string, string>>

/** Settings of files, by their names in configs, and the suffixes of their headers. */
export const S3_SETTINGS = {
  ...FILE_SETTINGS,
  aws_s3_bucket: 'aws-s3-bucket',
  aws_s3_object_key: 'aws-s3-object-key',
  aws_bedrock_model: 'aws-bedrock-model',
  aws_server_side_encryption: 'aws-server-side-encryption',
  aws_server_side_encryption_kms_key_id: 'aws-server-side-encryption-kms-key-id',
} as const

/** "Bucket naming rules" of the user guide, read 2026-11-24. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

export const hasBucket = ({ aws_s3_bucket: bucket = '' }: Settings): boolean => bucket !== ''

/** The bucket that a call names. @throws InvalidRequest for what can be none */
export const bucketName = ({ aws_s3_bucket: bucket = '' }: Settings): string => {
  if (BUCKET.test(bucket)) return bucket
  throw new InvalidRequest('Files of Bedrock are in a bucket of S3: name it in `x-gateway-aws-s3-bucket`.', {
    param: 'aws_s3_bucket',
  })
}

/** As signatures want it: all but letters, digits and `-._~` is encoded. */
const encodeStrict = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

const pathOf = (name: string): string => name.split('/').map(encodeStrict).join('/')

/** Text of the first element of a name. What is looked for holds no elements of its own. */
const element = (xml: string, name: string): string | undefined => {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`, start)
  return start === -1 || end === -1 ? undefined : xml.slice(start + name.length + 2, end)
}

const toObject = (xml: string): BucketObject => {
  const name = element(xml, 'Key')
  if (name === undefined) throw new UpstreamInvalid('The provider answered with an object without a name.')
  return {
    name: decodeURIComponent(name.replaceAll('+', ' ')),
    bytes: Number(element(xml, 'Size') ?? 0),
    createdAt: secondsOf(element(xml, 'LastModified')) ?? 0,
  }
}

/** @param storageURL in the place of the service of the region */
export const bucketOf = (call: Pick<KeptCallOf, 'context' | 'send'>, storageURL: string | undefined): Bucket =>
  bucketAt(call, bucketName(call.context.settings), storageURL)

/** A bucket that a job says it writes to. */
export const bucketAt = (
  { context: { settings }, send }: Pick<KeptCallOf, 'context' | 'send'>,
  name: string,
  storageURL: string | undefined,
): Bucket => {
  if (!BUCKET.test(name)) throw new UpstreamInvalid('The provider named something that is no bucket.')
  const base = `${storageURL ?? serviceURL('s3', settings.aws_region)}/${name}`
  const service = 's3'
  return {
    name,
    async put(object, content, type) {
      const headers = defined({
        'content-type': type,
        'x-amz-server-side-encryption': settings.aws_server_side_encryption || undefined,
        'x-amz-server-side-encryption-aws-kms-key-id': settings.aws_server_side_encryption_kms_key_id || undefined,
      })
      const url = `${base}/${pathOf(object)}`
      await (await send({ method: 'PUT', url, headers, body: content, service })).text()
    },
    async list(prefix, { after, token } = {}) {
      const query = new URLSearchParams(
        defined({
          'list-type': '2',
          'encoding-type': 'url',
          prefix,
          'start-after': after,
          'continuation-token': token,
        }),
      )
      // A space is `%20` in what is signed.
      const url = `${base}?${query.toString().replaceAll('+', '%20')}`
      const xml = await (await send({ method: 'GET', url, service })).text()
      const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, object = '']) => toObject(object))
      return { objects, next: element(xml, 'NextContinuationToken') }
    },
    async read(object) {
      const { body } = await send({ method: 'GET', url: `${base}/${pathOf(object)}`, service, passes: true })
      return body
    },
    async remove(object) {
      await (await send({ method: 'DELETE', url: `${base}/${pathOf(object)}`, service })).text()
    },
  }
}
