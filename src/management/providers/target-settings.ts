import { InvalidRequest } from '../../errors/gateway-error.ts'
import type { Configurations } from '../integrations/configurations.ts'

/** What the configurations of an integration mean for one call. */
export interface TargetSettings {
  /** Settings of the provider plugin, by its own names. */
  readonly settings: Readonly<Record<string, string>>
  /** Headers for the provider, besides its credentials. */
  readonly headers: Readonly<Record<string, string>>
  /** Base URL instead of the provider's. */
  readonly customHost?: string
}

/** Fields of OpenAI that travel as headers of its own. */
const OPENAI_HEADERS: Readonly<Record<string, string>> = {
  openai_organization: 'openai-organization',
  openai_project: 'openai-project',
}

/**
 * @param configurations secrets in clear among them
 * @param model of the call, as the client wrote it; absent for a call without one
 * @throws InvalidRequest when no deployment fits the model.
 */
export const toTargetSettings = (
  providerId: string,
  configurations: Configurations,
  model: string | undefined,
): TargetSettings => {
  const { custom_host: customHost, custom_headers: customHeaders, ...fields } = configurations
  const settings: Record<string, string> = {}
  const headers: Record<string, string> = {}
  const given = givenSettings(providerId, fields, model)
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const header = providerId === 'openai' ? OPENAI_HEADERS[name] : undefined
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (header === undefined) settings[name] = text
    else headers[header] = text
  }
  return {
    settings,
    headers: { ...headers, ...toHeaders(customHeaders) },
    ...(typeof customHost === 'string' ? { customHost } : {}),
  }
}

const givenSettings = (providerId: string, fields: Configurations, model: string | undefined): Configurations => {
  if (providerId === 'azure-openai') return toAzureSettings(fields, model)
  if (providerId !== 'azure-ai') return fields
  const { azure_foundry_url, azure_api_version, azure_deployment_name } = fields
  return { ...loginOf(fields), azure_foundry_url, api_version: azure_api_version, azure_deployment_name }
}

/**
 * Names that a model may be allowed under: as it was asked for, without the `models/` that Google puts in front, and those of
 * its deployment.
 */
export const namesOfModel = (configurations: Configurations, model: string): readonly string[] => {
  const deployment = findDeployment(configurations.azure_deployment_config, model)
  const bare = model.replace(/^models\//, '')
  const names = bare === model ? [model] : [model, bare]
  if (deployment === undefined) return names
  const isAsked = isNamed(deployment, model) && deployment.alias !== undefined
  return [...names, deployment.azure_model_slug, ...(isAsked ? [deployment.alias] : [])]
}

interface Deployment {
  readonly azure_api_version: string
  readonly azure_deployment_name: string
  readonly azure_model_slug: string
  readonly alias?: string
  readonly is_default?: boolean
}

const toAzureSettings = (fields: Configurations, model: string | undefined): Configurations => {
  const deployments = fields.azure_deployment_config
  const deployment = findDeployment(deployments, model) ?? toDeployments(deployments).find((entry) => entry.is_default)
  const resource = { ...loginOf(fields), resource_name: fields.azure_resource_name }
  if (model === undefined) {
    const version = (deployment ?? toDeployments(deployments)[0])?.azure_api_version
    return version === undefined ? resource : { ...resource, api_version: version }
  }
  if (deployment === undefined) {
    throw new InvalidRequest(`The stored provider has no deployment for the model '${model}', and no default one.`, {
      param: 'model',
    })
  }
  return {
    ...resource,
    deployment_id: deployment.azure_deployment_name,
    api_version: deployment.azure_api_version,
    azure_model_name: deployment.azure_model_slug,
  }
}

/** The fields of the mode alone: what is left of another one asks for nothing. */
const LOGIN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  entra: ['azure_auth_mode', 'azure_entra_tenant_id', 'azure_entra_client_id', 'azure_entra_client_secret'],
  managed: ['azure_auth_mode', 'azure_managed_client_id'],
}

const loginOf = (fields: Configurations): Configurations =>
  Object.fromEntries((LOGIN_FIELDS[String(fields.azure_auth_mode)] ?? []).map((name) => [name, fields[name]]))

/**
 * An alias is the more particular word, so it wins over a model of the same name. Calls that pass through name the
 * deployment itself.
 */
const findDeployment = (deployments: unknown, model: string | undefined): Deployment | undefined => {
  if (model === undefined) return undefined
  const all = toDeployments(deployments)
  return (
    all.find(({ alias }) => alias === model) ??
    all.find(({ azure_model_slug: slug }) => slug === model) ??
    all.find((deployment) => isNamed(deployment, model))
  )
}

/** Azure does not look at the case of its names. */
const isNamed = ({ azure_deployment_name: name }: Deployment, model: string): boolean =>
  name.toLowerCase() === model.toLowerCase()

/** Checked when it was stored: see `configuration-fields.ts`. */
const toDeployments = (value: unknown): readonly Deployment[] =>
  Array.isArray(value) ? (value as readonly Deployment[]) : []

const toHeaders = (value: unknown): Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, string>>) : {}
