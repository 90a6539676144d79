import type { Provider } from '../../kit/provider/provider.ts'

/** Settings of providers that the interface knows (behaviour reference, section 1.3), whether or not a plugin reads them. */
const KNOWN_SETTINGS: ReadonlySet<string> = new Set(
  [
    'resource_name deployment_id api_version',
    'azure_model_name azure_auth_mode azure_ad_token',
    'azure_managed_client_id azure_workload_client_id azure_entra_client_id azure_entra_client_secret',
    'azure_entra_tenant_id azure_entra_scope azure_endpoint_name azure_foundry_url azure_deployment_name',
    'azure_deployment_type azure_region azure_extra_params',
    'aws_access_key_id aws_secret_access_key aws_session_token aws_region aws_role_arn aws_external_id aws_auth_type',
    'aws_s3_bucket aws_s3_object_key aws_bedrock_model aws_server_side_encryption',
    'aws_server_side_encryption_kms_key_id',
    'amzn_sagemaker_custom_attributes amzn_sagemaker_target_model amzn_sagemaker_target_variant',
    'amzn_sagemaker_target_container_hostname amzn_sagemaker_inference_id amzn_sagemaker_enable_explanations',
    'amzn_sagemaker_inference_component amzn_sagemaker_session_id amzn_sagemaker_model_name',
    'vertex_project_id vertex_region vertex_service_account_json vertex_storage_bucket_name vertex_auth_type',
    'openai_organization openai_project openai_beta anthropic_beta anthropic_version',
    'huggingface_base_url workers_ai_account_id stability_client_id stability_client_user_id',
    'stability_client_version fireworks_account_id snowflake_account',
    'oracle_api_version oracle_region oracle_compartment_id oracle_serving_mode oracle_tenancy oracle_user',
    'oracle_fingerprint oracle_private_key oracle_key_passphrase',
  ].flatMap((line) => line.split(' ')),
)

export const isSetting = (name: string, ofPlugins: ReadonlySet<string>): boolean =>
  ofPlugins.has(name) || KNOWN_SETTINGS.has(name)

/** The text of a setting, or `undefined` for a value that cannot be one. A key file may be given as the object it holds. */
export const settingText = (name: string, value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  return name.endsWith('_json') && typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined
}

/** A host that is not for the key is not for the token that the settings would give either. */
export const withoutLogin = (
  settings: Readonly<Record<string, string>>,
  { keySettings = [] }: Provider,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !keySettings.includes(name)))
