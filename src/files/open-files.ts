import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../config/config-error.ts'
import { defined } from '../core/defined.ts'
import type { FileBackend } from './backend.ts'
import { type Bucket, createBucketBackend } from './bucket-backend.ts'
import { createFolderBackend } from './folder-backend.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The place that the environment names: `WEIR_FILES_URL=file:///folder`, or `s3://bucket/prefix?endpoint=…&region=…` with keys in
 * `WEIR_FILES_ACCESS_KEY_ID` and `WEIR_FILES_SECRET_ACCESS_KEY` (or AWS's own variables); else a folder of the data folder.
 * @throws ConfigError naming the variable
 */
export const openFileBackend = (env: Env, dataDir: string): FileBackend => {
  const value = env.WEIR_FILES_URL
  if (value === undefined || value === '') return createFolderBackend(join(dataDir, 'files', 'own'))
  if (!URL.canParse(value)) throw notUsable('it is no URL')
  const url = new URL(value)
  if (url.protocol === 'file:') return createFolderBackend(folderOf(url))
  if (url.protocol === 's3:') return createBucketBackend(bucketOf(url, env))
  throw notUsable('it must begin with `file:///` or `s3://`')
}

const folderOf = (url: URL): string => {
  try {
    return fileURLToPath(url)
  } catch {
    throw notUsable('a folder is named with its whole path: `file:///shared/files`')
  }
}

const QUERY: readonly string[] = ['endpoint', 'region']

const bucketOf = (url: URL, env: Env): Bucket => {
  const { hostname: bucket, pathname, searchParams, username, password } = url
  if (bucket === '') throw notUsable('a bucket is named as `s3://bucket`')
  if (username !== '' || password !== '') {
    throw notUsable('keys stand in WEIR_FILES_ACCESS_KEY_ID and WEIR_FILES_SECRET_ACCESS_KEY')
  }
  const unknown = [...searchParams.keys()].find((name) => !QUERY.includes(name))
  if (unknown !== undefined) throw notUsable(`\`${unknown}\` is not known; it may say ${QUERY.join(' and ')}`)
  const endpoint = searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint)) throw notUsable('`endpoint` must be an http(s) URL')
  const accessKeyId = env.WEIR_FILES_ACCESS_KEY_ID || env.AWS_ACCESS_KEY_ID
  const secretAccessKey = env.WEIR_FILES_SECRET_ACCESS_KEY || env.AWS_SECRET_ACCESS_KEY
  if (!accessKeyId || !secretAccessKey) {
    throw notUsable('a bucket needs WEIR_FILES_ACCESS_KEY_ID and WEIR_FILES_SECRET_ACCESS_KEY')
  }
  const folder = pathname.replace(/^\/+|\/+$/g, '')
  return {
    ...{ bucket, accessKeyId, secretAccessKey, prefix: folder === '' ? '' : `${folder}/` },
    ...defined({
      endpoint,
      region: searchParams.get('region') ?? (env.AWS_REGION || undefined),
      // Belongs to the keys of AWS's own variables alone.
      sessionToken: env.WEIR_FILES_ACCESS_KEY_ID ? undefined : env.AWS_SESSION_TOKEN || undefined,
    }),
  }
}

const notUsable = (reason: string): ConfigError => new ConfigError(`WEIR_FILES_URL cannot be used: ${reason}.`)
