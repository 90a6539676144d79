import { InvalidHeader, InvalidRequest } from '#kit'
import type { AdapterContext, PlaceAsked } from '#kit/provider'
import { LOGIN_SETTINGS } from './login-settings.ts'

type Settings = Readonly<Record<string, string>>

/** Config name to header suffix (see `settings` of Provider). */
export const SETTINGS = {
  resource_name: 'azure-resource-name',
  deployment_id: 'azure-deployment-id',
  api_version: 'azure-api-version',
  azure_model_name: 'azure-model-name',
  ...LOGIN_SETTINGS,
} as const

/** A custom subdomain of Azure, so that a name can never become another host, port, path or login. */
export const RESOURCE_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/

/** Domains below which Azure gives each resource a host of its own (Microsoft Learn, "Azure AI services endpoints"). */
export const HOST_SUFFIXES = ['.openai.azure.com', '.cognitiveservices.azure.com', '.services.ai.azure.com'] as const

/** Versions of the API whose deployment is named by the body, not by the path; the preview one is also a query. */
const UNDATED_QUERY: ReadonlyMap<string, string> = new Map([
  ['v1', ''],
  ['preview', '?api-version=preview'],
])
const DEFAULT_VERSION = 'v1'

/** @throws InvalidHeader when the resource is missing, or no name that Azure could have given. */
export const baseURLOf = ({ resource_name: name }: Settings): string => {
  const param = `x-gateway-${SETTINGS.resource_name}`
  if (name === undefined || name === '') {
    throw new InvalidHeader(`Azure OpenAI needs a resource: send ${param}, or set resource_name in the config.`, {
      param,
    })
  }
  if (!RESOURCE_NAME.test(name)) {
    throw new InvalidHeader('The Azure resource name may hold only letters, digits and inner hyphens.', { param })
  }
  return `https://${name.toLowerCase()}.openai.azure.com`
}

/**
 * Path below the base URL of a call that runs on a deployment.
 * @throws InvalidRequest when the model, or InvalidHeader when the deployment, cannot be part of a path.
 */
export const deploymentPath =
  (operation: string) =>
  (context: AdapterContext): string => {
    const version = versionOf(context.settings)
    const undated = UNDATED_QUERY.get(version)
    if (undated !== undefined) return `/openai/v1/${operation}${undated}`
    return `/openai/deployments/${segment(context)}/${operation}?api-version=${encodeURIComponent(version)}`
  }

/** The deployment that a path names: it decides which model answers, whatever the body says. */
export const deploymentInPath = (path: string): string | undefined =>
  /^(?:\/openai)?\/deployments\/([^/]+)/i.exec(path)?.[1]

/** Path of the list of models. */
export const modelsPath = (context: AdapterContext): string => resourcePath('/models', context)

/**
 * A place that is no deployment's own, such as `/responses`. Dated versions have it right below `/openai` (openai-node 7.55.0,
 * azure.mjs: `/responses` is not among `_deployments_endpoints`; read 2026-11-22).
 */
export const resourcePath = (path: string, { settings }: AdapterContext): string => referencePath(path, settings)

/** As above, for what passes as it came. */
export const referencePath = (path: string, settings: Settings): string => {
  const version = versionOf(settings)
  const undated = UNDATED_QUERY.get(version)
  return undated === undefined
    ? `/openai${path}?api-version=${encodeURIComponent(version)}`
    : `/openai/v1${path}${undated}`
}

/**
 * Realtime sessions. The undated API names the deployment as OpenAI names the model; dated ones have the address of the preview,
 * with the deployment in the query (Microsoft Learn, "Use the GPT Realtime API via WebSockets", as of MicrosoftDocs/azure-ai-docs
 * d7c37bc; openai-node 7.55.0, `buildRealtimeURL`; read 2026-11-24). A version in the query of the client wins.
 */
export const realtimePlace = ({ base, path, query, model = '', settings }: PlaceAsked): string => {
  const asked = new URLSearchParams(query)
  const version = versionOf({ api_version: asked.get('api-version') ?? settings.api_version ?? '' })
  const deployment = settings.deployment_id || model
  const isUndated = UNDATED_QUERY.has(version)
  asked.delete('api-version')
  asked.delete('model')
  if (version !== DEFAULT_VERSION) asked.set('api-version', version)
  if (deployment !== '') asked.set(isUndated ? 'model' : 'deployment', deployment)
  return `${base}/openai${isUndated ? '/v1' : ''}${path}?${asked}`
}

/** The `model` of the body where no path can name it: the deployment, whatever the version. */
export const deploymentOf = (model: string, { settings }: AdapterContext): string => settings.deployment_id || model

/** The `model` of the body: the deployment for undated versions; for dated ones the path says it and the name is free. */
export const modelOf = (model: string, { settings }: AdapterContext): string => {
  const name = UNDATED_QUERY.has(versionOf(settings)) ? settings.deployment_id : settings.azure_model_name
  return name === undefined || name === '' ? model : name
}

/** @throws InvalidHeader when the version cannot be one. */
const versionOf = ({ api_version: version }: Settings): string => {
  if (version === undefined || version === '') return DEFAULT_VERSION
  if (/^[A-Za-z0-9.-]{1,30}$/.test(version)) return version
  const param = `x-gateway-${SETTINGS.api_version}`
  throw new InvalidHeader('The Azure API version must be a date such as 2024-10-21, `preview` or `v1`.', { param })
}

/** The deployment, else the model, as one segment of a path: it may neither end the segment nor climb out of it. */
const segment = ({ settings, model }: AdapterContext): string => {
  const given = settings.deployment_id
  const deployment = given === undefined || given === '' ? model : given
  if (deployment !== '' && deployment !== '.' && deployment !== '..' && deployment.isWellFormed()) {
    return encodeURIComponent(deployment)
  }
  if (deployment === given) {
    const param = `x-gateway-${SETTINGS.deployment_id}`
    throw new InvalidHeader('The Azure deployment is no name of a deployment.', { param })
  }
  throw new InvalidRequest('Without a deployment the model names it, and this one cannot.', { param: 'model' })
}
