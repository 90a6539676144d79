import { type TObject, type TProperties, Type as t } from '@sinclair/typebox'
import { FILE_SETTINGS } from '../../kit/provider.ts'
import type { RunningProvider } from './deps.ts'

/** The `configurations` that an integration of one provider takes (interface contract, section 3.3). */
export interface ConfigurationFields {
  /** Every field is optional here: `needs` says what must be there, since a secret reference may stand in for a field. */
  readonly schema: TObject
  needs(values: Readonly<Record<string, unknown>>): readonly string[]
}

const text = t.String({ minLength: 1, maxLength: 255 })
const secretText = t.String({ minLength: 1, maxLength: 8192 })
/** These become part of a host name: nothing that could end it. */
const hostLabel = t.String({ pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$', maxLength: 128 })
const url = t.String({ minLength: 1, maxLength: 2048 })
const apiVersion = t.String({ pattern: '^[A-Za-z0-9.-]{1,30}$', maxLength: 30 })
const oneOf = (...values: readonly string[]) => t.Union(values.map((value) => t.Literal(value)))

export const CustomHeaders = t.Record(
  t.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' }),
  t.String({ pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$', maxLength: 4096 }),
  { additionalProperties: false, maxProperties: 32, description: 'Sent with every call to the provider.' },
)

/** May accompany the fields of any provider. */
const COMMON: TProperties = { custom_host: url, custom_headers: CustomHeaders }

/** Kept sealed, and shown only masked. Headers are among them, as they often carry a token. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'aws_access_key_id',
  'aws_secret_access_key',
  'azure_entra_client_secret',
  'custom_headers',
  'vertex_service_account_json',
])

/** Settings of a provider whose fields the contract does not list are secret when their name says so. */
export const isSecretField = (field: string): boolean =>
  SECRET_FIELDS.has(field) || /(^|_)(key|secret|token|password)$/.test(field)

/** Fields that hold the URL calls go to. */
export const URL_FIELDS = ['custom_host', 'azure_foundry_url', 'huggingface_base_url'] as const

const none = (): readonly string[] => []

const AZURE_LOGIN: TProperties = {
  azure_auth_mode: oneOf('default', 'entra', 'managed'),
  azure_entra_tenant_id: text,
  azure_entra_client_id: text,
  azure_entra_client_secret: secretText,
  azure_managed_client_id: text,
}

const azureNeeds = (mode: unknown): readonly string[] =>
  mode === 'entra' ? ['azure_entra_tenant_id', 'azure_entra_client_id', 'azure_entra_client_secret'] : []

const Deployment = t.Object({
  azure_api_version: apiVersion,
  azure_deployment_name: text,
  azure_model_slug: text,
  alias: t.Optional(text),
  is_default: t.Boolean({ default: false }),
})

const AWS: TProperties = {
  aws_auth_type: oneOf('accessKey', 'assumedRole'),
  aws_region: hostLabel,
  aws_access_key_id: secretText,
  aws_secret_access_key: secretText,
  aws_role_arn: text,
  aws_external_id: text,
}

const awsNeeds = ({ aws_auth_type: type }: Readonly<Record<string, unknown>>): readonly string[] => [
  'aws_auth_type',
  'aws_region',
  ...(type === 'accessKey' ? ['aws_access_key_id', 'aws_secret_access_key'] : []),
  ...(type === 'assumedRole' ? ['aws_role_arn'] : []),
]

const sageMaker = Object.fromEntries(
  [
    'custom_attributes',
    'target_model',
    'target_variant',
    'target_container_hostname',
    'inference_id',
    'enable_explanations',
    'inference_component',
    'session_id',
    'model_name',
  ].map((name) => [`amzn_sagemaker_${name}`, text]),
)

const toFields = (fields: TProperties, needs: ConfigurationFields['needs'] = none): ConfigurationFields => ({
  schema: t.Partial(t.Object({ ...COMMON, ...fields })),
  needs,
})

const KNOWN: ReadonlyMap<string, ConfigurationFields> = new Map([
  ['openai', toFields({ openai_organization: text, openai_project: text })],
  [
    'azure-openai',
    toFields(
      {
        ...AZURE_LOGIN,
        azure_resource_name: t.String({ pattern: '^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$' }),
        azure_deployment_config: t.Array(Deployment, { minItems: 1, maxItems: 500 }),
      },
      ({ azure_auth_mode: mode }) => [
        'azure_auth_mode',
        'azure_resource_name',
        'azure_deployment_config',
        ...azureNeeds(mode),
      ],
    ),
  ],
  ['bedrock', toFields(AWS, awsNeeds)],
  ['sagemaker', toFields({ ...AWS, ...sageMaker }, awsNeeds)],
  [
    'vertex-ai',
    toFields(
      {
        vertex_auth_type: oneOf('basic', 'serviceAccount'),
        vertex_region: hostLabel,
        vertex_project_id: hostLabel,
        vertex_service_account_json: t.Record(t.String(), t.Unknown(), { minProperties: 1, maxProperties: 64 }),
      },
      ({ vertex_auth_type: type }) => [
        'vertex_auth_type',
        'vertex_region',
        ...(type === 'basic' ? ['vertex_project_id'] : []),
        ...(type === 'serviceAccount' ? ['vertex_service_account_json'] : []),
      ],
    ),
  ],
  [
    'azure-ai',
    toFields(
      { ...AZURE_LOGIN, azure_foundry_url: url, azure_api_version: apiVersion, azure_deployment_name: text },
      ({ azure_auth_mode: mode }) => ['azure_auth_mode', 'azure_foundry_url', ...azureNeeds(mode)],
    ),
  ],
  ['workers-ai', toFields({ workers_ai_account_id: hostLabel }, () => ['workers_ai_account_id'])],
  ['huggingface', toFields({ huggingface_base_url: url })],
  ['cortex', toFields({ snowflake_account: hostLabel }, () => ['snowflake_account'])],
])

/**
 * Providers that the interface names (contract, section 3.3; behaviour reference, section 1.3) and of which there is no
 * plugin yet. A test keeps the built-in ones out.
 */
export const PLANNED_PROVIDERS: ReadonlySet<string> = new Set(['cortex', 'oracle'])

/** The contract's fields of the provider; for one that it does not list, the settings that its plugin declares. */
export const configurationFieldsOf = ({ id, settings = {}, account }: RunningProvider): ConfigurationFields => {
  if (account !== undefined) return toFields(account.settings ?? {}, () => account.required ?? [])
  // What is said of one file is said with it.
  const stored = Object.keys(settings).filter((name) => !Object.hasOwn(FILE_SETTINGS, name))
  return KNOWN.get(id) ?? toFields(Object.fromEntries(stored.map((name) => [name, secretText])))
}
