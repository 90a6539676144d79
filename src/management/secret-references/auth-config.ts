import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { EXTERNAL_ID, ROLE_ARN } from '../../kit/aws/login.ts'
import { REGION } from '../../kit/aws/region.ts'
import type { MaskedFields } from '../../store/schema/integrations.ts'
import type { SecretManagerType } from '../../store/schema/secret-references.ts'
import { nullable } from '../fields.ts'
import { checkUrl } from '../integrations/configurations.ts'
import { invalidField } from '../invalid-field.ts'

const visible = (maxLength: number) => t.String({ pattern: '^[\\x21-\\x7e]+$', maxLength })

const given = <Schema extends TSchema>(schema: Schema) => t.Optional(nullable(schema))

/** How Weir logs in at a manager; which fields there are depends on the manager, and on the kind of login. */
export const AuthConfig = t.Object(
  {
    aws_auth_type: given(t.Union([t.Literal('accessKey'), t.Literal('assumedRole'), t.Literal('serviceRole')])),
    aws_access_key_id: given(visible(128)),
    aws_secret_access_key: given(visible(1024)),
    aws_region: given(t.String({ pattern: REGION.source, maxLength: 64 })),
    aws_role_arn: given(t.String({ pattern: ROLE_ARN.source, maxLength: 2048 })),
    aws_external_id: given(t.String({ pattern: EXTERNAL_ID.source, maxLength: 1224 })),
    azure_auth_mode: given(t.Union([t.Literal('entra'), t.Literal('managed'), t.Literal('default')])),
    azure_entra_tenant_id: given(t.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,127}$' })),
    azure_entra_client_id: given(visible(255)),
    azure_entra_client_secret: given(visible(1024)),
    azure_managed_client_id: given(visible(255)),
    // Nowhere else: tokens for all vaults that an identity may read go there.
    azure_vault_url: given(
      t.String({
        pattern:
          '^https://[A-Za-z0-9](?:[A-Za-z0-9-]{1,22}[A-Za-z0-9])\\.vault\\.(?:azure\\.net|azure\\.cn|usgovcloudapi\\.net)/?$',
        description: 'Such as `https://contoso.vault.azure.net`.',
      }),
    ),
    vault_auth_type: given(t.Union([t.Literal('token'), t.Literal('approle'), t.Literal('kubernetes')])),
    vault_addr: given(
      t.String({ minLength: 1, maxLength: 2048, description: 'Such as `https://vault.example.com:8200`.' }),
    ),
    vault_token: given(visible(8192)),
    vault_role_id: given(visible(1024)),
    vault_secret_id: given(visible(1024)),
    vault_role: given(t.String({ pattern: '^[A-Za-z0-9._-]{1,255}$' })),
    vault_namespace: given(
      t.String({ pattern: '^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?$', maxLength: 1024 }),
    ),
  },
  { description: 'How to log in at the manager; a field that is null is removed. Secrets are never shown again.' },
)
export type AuthConfigBody = Static<typeof AuthConfig>

const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'aws_access_key_id',
  'aws_secret_access_key',
  'azure_entra_client_secret',
  'vault_token',
  'vault_secret_id',
])

interface Login {
  readonly needs: readonly string[]
  readonly may?: readonly string[]
}

interface Manager {
  /** The field that says which login is meant. */
  readonly by: string
  readonly logins: Readonly<Record<string, Login>>
}

/** The variants of the contract, section 3.5. Managers that are not here need no login. */
const MANAGERS: Readonly<Partial<Record<SecretManagerType, Manager>>> = {
  aws_sm: {
    by: 'aws_auth_type',
    logins: {
      accessKey: { needs: ['aws_access_key_id', 'aws_secret_access_key', 'aws_region'] },
      assumedRole: { needs: ['aws_role_arn', 'aws_region'], may: ['aws_external_id'] },
      serviceRole: { needs: [], may: ['aws_region'] },
    },
  },
  azure_kv: {
    by: 'azure_auth_mode',
    logins: {
      entra: {
        needs: ['azure_entra_tenant_id', 'azure_entra_client_id', 'azure_entra_client_secret', 'azure_vault_url'],
      },
      managed: { needs: ['azure_vault_url'], may: ['azure_managed_client_id'] },
      default: { needs: ['azure_vault_url'] },
    },
  },
  hashicorp_vault: {
    by: 'vault_auth_type',
    logins: {
      token: { needs: ['vault_addr', 'vault_token'], may: ['vault_namespace'] },
      approle: { needs: ['vault_addr', 'vault_role_id', 'vault_secret_id'], may: ['vault_namespace'] },
      kubernetes: { needs: ['vault_addr', 'vault_role'], may: ['vault_namespace'] },
    },
  },
}

/** What is stored of a login. */
interface StoredAuth {
  readonly authConfig: Readonly<Record<string, string>>
  readonly masked: MaskedFields
}

export interface CheckedAuth {
  /** All fields that are no secrets. */
  readonly plain: Readonly<Record<string, string>>
  /** Secrets that were given now, in clear. */
  readonly secrets: Readonly<Record<string, string>>
  /** Names of the stored secrets that stay. */
  readonly kept: readonly string[]
}

const path = (field: string): string => `auth_config.${field}`

/**
 * The login that a body asks for, its fields laid over those that are stored. Fields of another login than the one that is meant
 * now go, where the body does not give them.
 * @throws ManagementInvalid naming the field
 */
export const checkAuthConfig = (
  managerType: SecretManagerType,
  body: AuthConfigBody,
  stored: StoredAuth | undefined,
  checkCustomHost: (url: string) => string,
): CheckedAuth => {
  const given = Object.fromEntries(
    // A secret that comes back as it was shown is no new one.
    Object.entries(body).filter(([name, value]) => value === null || value !== stored?.masked[name]),
  )
  const values = present({ ...stored?.authConfig, ...given })
  const manager = MANAGERS[managerType]
  const kind = manager && values[manager.by]
  if (manager !== undefined && kind === undefined) throw invalidField(path(manager.by), 'is missing')
  const login = manager?.logins[kind ?? '']
  const fields = manager === undefined ? [] : [manager.by, ...(login?.needs ?? []), ...(login?.may ?? [])]
  const strange = Object.keys(present(given)).find((name) => !fields.includes(name))
  if (strange !== undefined) {
    throw invalidField(path(strange), `is no field of ${kind === undefined ? managerType : `the login '${kind}'`}`)
  }
  const kept = Object.keys(stored?.masked ?? {}).filter((name) => fields.includes(name) && given[name] === undefined)
  const missing = login?.needs.find((name) => values[name] === undefined && !kept.includes(name))
  if (missing !== undefined) throw invalidField(path(missing), 'is missing')
  if (values.vault_addr !== undefined) {
    values.vault_addr = checkUrl(path('vault_addr'), values.vault_addr, checkCustomHost)
    // Who may change a reference may not read its secrets, so must not have them sent to a host of theirs either.
    const [secret] = kept
    if (secret !== undefined && values.vault_addr !== stored?.authConfig.vault_addr) {
      throw invalidField(path(secret), 'must be given again together with another vault_addr')
    }
  }
  const own = Object.entries(values).filter(([name]) => fields.includes(name))
  return {
    plain: Object.fromEntries(own.filter(([name]) => !SECRET_FIELDS.has(name))),
    secrets: Object.fromEntries(own.filter(([name]) => SECRET_FIELDS.has(name))),
    kept,
  }
}

/** Fields that have a value. */
const present = (fields: Readonly<Record<string, string | null | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'))
