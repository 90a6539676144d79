import { defined } from '../../core/defined.ts'
import type { Configurations } from '../integrations/configurations.ts'
import { invalidField } from '../invalid-field.ts'
import type { AzureFields } from './model.ts'

/** The one provider whose fields the older form names. */
const AZURE = 'azure-openai'

/** The older names of configuration fields, as secret mappings use them too. */
const OLDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['resourceName', 'azure_resource_name'],
  ['deploymentConfig', 'azure_deployment_config'],
])

/** `model_config.resourceName` becomes `configurations.azure_resource_name`. */
export const toTargetField = (field: string): string => {
  const name = field.replace(/^model_config\./, '')
  return name === field ? field : `configurations.${OLDER_NAMES.get(name) ?? name}`
}

/** The reverse of `toTargetField`. */
export const fromTargetField = (field: string): string => {
  const name = field.replace(/^configurations\./, '')
  if (name === field) return field
  const older = [...OLDER_NAMES].find(([, newer]) => newer === name)?.[0]
  return `model_config.${older ?? name}`
}

/**
 * The configurations of the newer form that the fields mean. Empty when there are none.
 * @throws ManagementInvalid for fields that do not fit each other or the provider.
 */
export const toConfigurations = (providerId: string, fields: AzureFields): Configurations => {
  const { resourceName } = fields
  const deployments = toDeployments(fields)
  const given = (['apiVersion', 'resourceName', 'deploymentName', 'deploymentConfig'] as const).find(
    (name) => fields[name] !== undefined,
  )
  if (given === undefined) return {}
  if (providerId !== AZURE) throw invalidField(given, `is a field of ${AZURE} only`)
  return defined({
    azure_auth_mode: 'default',
    azure_resource_name: resourceName,
    azure_deployment_config: deployments,
  })
}

/** What a new virtual key of the provider lacks, by its older name. */
export const missingField = (
  providerId: string,
  fields: AzureFields,
  mapped: ReadonlySet<string>,
): string | undefined => {
  if (providerId !== AZURE) return undefined
  if (fields.resourceName === undefined && !mapped.has('azure_resource_name')) return 'resourceName'
  const hasDeployment = fields.deploymentName !== undefined || fields.deploymentConfig !== undefined
  return hasDeployment || mapped.has('azure_deployment_config') ? undefined : 'deploymentConfig'
}

/** `model_config` of the answer. */
export const toModelConfig = (configurations: Configurations): Record<string, unknown> => {
  const { azure_resource_name: resourceName, azure_deployment_config: deployments, ...rest } = configurations
  const { azure_auth_mode: _mode, ...others } = rest
  return {
    ...others,
    ...defined({ resourceName }),
    ...(Array.isArray(deployments) ? { deploymentConfig: deployments.map(fromDeployment) } : {}),
  }
}

const toDeployments = ({ deploymentConfig, deploymentName, apiVersion }: AzureFields): unknown[] | undefined => {
  if (deploymentConfig === undefined) {
    if (deploymentName === undefined && apiVersion === undefined) return undefined
    if (deploymentName === undefined) throw invalidField('deploymentName', 'is missing: `apiVersion` belongs to it')
    if (apiVersion === undefined) throw invalidField('apiVersion', 'is missing: `deploymentName` needs it')
    return [toDeployment(deploymentName, apiVersion, undefined, true)]
  }
  if (deploymentName !== undefined || apiVersion !== undefined) {
    throw invalidField('deploymentConfig', 'goes not together with `deploymentName` and `apiVersion`')
  }
  // The older form had no model names, so a call with another name than an alias must find some deployment.
  const hasDefault = deploymentConfig.some((entry) => entry.is_default === true)
  return deploymentConfig.map((entry, index) =>
    toDeployment(
      entry.deploymentName,
      entry.apiVersion,
      entry.alias,
      hasDefault ? entry.is_default === true : index === 0,
    ),
  )
}

const toDeployment = (name: string, version: string, alias: string | undefined, isDefault: boolean) =>
  defined({
    azure_api_version: version,
    azure_deployment_name: name,
    azure_model_slug: alias ?? name,
    is_default: isDefault,
    alias,
  })

const fromDeployment = (entry: unknown): Record<string, unknown> => {
  const {
    azure_api_version: apiVersion,
    azure_deployment_name: deploymentName,
    azure_model_slug: _model,
    ...rest
  } = entry as Record<string, unknown>
  return { apiVersion, deploymentName, ...rest }
}
