/**
 * Objects of a bucket of Cloud Storage: `objects.list`, `.get`, `.insert` and `.delete` of its JSON API, as the page "JSON API" of
 * docs.cloud.google.com and google-cloud-storage (PyPI) have them, read 2026-11-25.
 */
import { defined, InvalidRequest } from '#kit'
import { type Bucket, type BucketObject, type KeptCallOf, objectsIn, secondsOf, wordOf } from '#kit/provider'

type Settings = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, unknown>>

/** Name of the service, for the login. */
export const STORAGE = 'storage'

const STORAGE_URL = 'https://storage.googleapis.com'

/** "About Cloud Storage buckets", read 2026-11-24. */
export const BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/

export const hasBucket = ({ vertex_storage_bucket_name: bucket = '' }: Settings): boolean => bucket !== ''

/** The bucket that a call names. @throws InvalidRequest for what can be none */
export const bucketName = ({ vertex_storage_bucket_name: bucket = '' }: Settings): string => {
  if (BUCKET.test(bucket)) return bucket
  throw new InvalidRequest(
    'Files of Vertex AI are in a bucket of Cloud Storage: name it in `x-gateway-vertex-storage-bucket-name`.',
    { param: 'vertex_storage_bucket_name' },
  )
}

const toObject = ({ name, size, timeCreated }: Fields): BucketObject[] =>
  typeof name === 'string' ? [{ name, bytes: Number(size ?? 0), createdAt: secondsOf(timeCreated) ?? 0 }] : []

/** @param storageURL in the place of Google's */
export const bucketOf = (call: Pick<KeptCallOf, 'context' | 'send'>, storageURL?: string): Bucket =>
  bucketAt(call, bucketName(call.context.settings), storageURL)

/** A bucket that a job says it writes to. */
export const bucketAt = ({ send }: Pick<KeptCallOf, 'send'>, name: string, storageURL = STORAGE_URL): Bucket => {
  const service = STORAGE
  const path = `/storage/v1/b/${encodeURIComponent(name)}/o`
  const at = (object: string): string => `${storageURL}${path}/${encodeURIComponent(object)}`
  return {
    name,
    async put(object, content, type) {
      const query = new URLSearchParams({ uploadType: 'media', name: object })
      const url = `${storageURL}/upload${path}?${query}`
      await (await send({ method: 'POST', url, headers: { 'content-type': type }, body: content, service })).json()
    },
    async list(prefix, { after, token } = {}) {
      const query = new URLSearchParams(
        defined({
          ...{ prefix, maxResults: '1000', fields: 'items(name,size,timeCreated),nextPageToken' },
          startOffset: after,
          pageToken: token,
        }),
      )
      const answer = await (await send({ method: 'GET', url: `${storageURL}${path}?${query}`, service })).json()
      const objects = objectsIn(answer, 'items').flatMap(toObject)
      // The list begins with the one that it is to go on behind.
      return { objects: objects.filter((object) => object.name !== after), next: wordOf(answer.nextPageToken) }
    },
    read: async (object) => (await send({ method: 'GET', url: `${at(object)}?alt=media`, service, passes: true })).body,
    async remove(object) {
      await (await send({ method: 'DELETE', url: at(object), service })).text()
    },
  }
}
