import { InvalidHeader } from '#kit'
import { FILE_SETTINGS } from '#kit/provider'
import { accountOf } from './account.ts'

type Settings = Readonly<Record<string, string>>

/** Config name to header suffix (see `settings` of Provider). */
export const SETTINGS = {
  ...FILE_SETTINGS,
  vertex_project_id: 'vertex-project-id',
  vertex_region: 'vertex-region',
  vertex_service_account_json: 'vertex-service-account-json',
  vertex_auth_type: 'vertex-auth-type',
  vertex_storage_bucket_name: 'vertex-storage-bucket-name',
} as const

/** Part of a host name, so that it can never become another host. */
export const REGION = /^[a-z]{2,20}(?:-[a-z]{2,20}\d{1,2})?$/

/** Ids, numbers, and ids of a domain (`example.com:project`). */
export const PROJECT = /^[a-z0-9][a-z0-9.:-]{0,127}$/

/** Places that are several regions (@google/genai 2.32.0, @anthropic-ai/vertex-sdk 1.1.3, read 2026-11-22). */
const WIDE: ReadonlySet<string> = new Set(['us', 'eu'])

/** @throws InvalidHeader for what is no region */
const regionOf = ({ vertex_region: region = '' }: Settings): string => {
  if (REGION.test(region)) return region
  throw new InvalidHeader(
    'Vertex AI needs a region such as `us-central1` or `global`: send `x-gateway-vertex-region`, or set `vertex_region` in the config.',
    { param: 'vertex_region' },
  )
}

export const baseURLOf = (settings: Settings): string => {
  const region = regionOf(settings)
  if (region === 'global') return 'https://aiplatform.googleapis.com'
  return WIDE.has(region)
    ? `https://aiplatform.${region}.rep.googleapis.com`
    : `https://${region}-aiplatform.googleapis.com`
}

/** `/v1/projects/<project>/locations/<region>`; the account's own project where no other is named. */
export const projectPath = (version: 'v1' | 'v1beta1', settings: Settings): string => {
  const { vertex_service_account_json: json = '' } = settings
  const project = settings.vertex_project_id || (json === '' ? undefined : accountOf(json).projectId) || ''
  if (!PROJECT.test(project)) {
    throw new InvalidHeader(
      'Vertex AI needs a project: send `x-gateway-vertex-project-id`, or set `vertex_project_id` in the config.',
      { param: 'vertex_project_id' },
    )
  }
  return `/${version}/projects/${project}/locations/${regionOf(settings)}`
}
