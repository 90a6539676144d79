import { type Static, t, UnsupportedConfig } from '#kit'

type Settings = Readonly<Record<string, string>>

/** Config name to header suffix (see `settings` of Provider). */
export const LOGIN_SETTINGS = {
  azure_ad_token: 'azure-ad-token',
  azure_auth_mode: 'azure-auth-mode',
  azure_entra_tenant_id: 'azure-entra-tenant-id',
  azure_entra_client_id: 'azure-entra-client-id',
  azure_entra_client_secret: 'azure-entra-client-secret',
  azure_entra_scope: 'azure-entra-scope',
  azure_managed_client_id: 'azure-managed-client-id',
  azure_workload_client_id: 'azure-workload-client-id',
} as const

/** Settings in the place of a key. */
export const LOGIN_NAMES: readonly string[] = Object.keys(LOGIN_SETTINGS)

/** A tenant, by id or domain: it becomes a segment of a path. */
export const TENANT = /^[A-Za-z0-9][A-Za-z0-9.-]{0,127}$/

/** What an operator may set of logins. */
export const LOGIN_CONFIG = {
  login: t.Optional(
    t.Object(
      {
        mode: t.Union([t.Literal('entra'), t.Literal('managed'), t.Literal('workload')], {
          description: 'An application with a secret, a managed identity of this machine, or a workload identity.',
        }),
        tenantId: t.Optional(t.String({ pattern: TENANT.source, description: 'Tenant of the application.' })),
        clientId: t.Optional(t.String({ minLength: 1, description: 'Id of the application, or of the identity.' })),
        clientSecret: t.Optional(t.String({ minLength: 1, description: 'Secret of the application.' })),
      },
      {
        additionalProperties: false,
        description: 'Login in the place of `apiKey`, for calls that bring no key: see [logins.md](logins.md).',
      },
    ),
  ),
  storedMachineLogin: t.Optional(
    t.Boolean({
      description:
        'Whether stored providers may log in with a managed or workload identity of this machine. Default: yes.',
    }),
  ),
  authorityHost: t.Optional(
    t.String({
      pattern: '^https?://[^/?#\\s]+$',
      description:
        'Where tokens come from, for a sovereign cloud. Default: AZURE_AUTHORITY_HOST, else `https://login.microsoftonline.com`.',
    }),
  ),
  scope: t.Optional(
    t.String({
      pattern: '^\\S+$',
      description: 'What tokens are for. Default: `https://cognitiveservices.azure.com/.default`.',
    }),
  ),
}

const ConfigSchema = t.Object(LOGIN_CONFIG)
export type LoginConfig = Static<typeof ConfigSchema>

/** The login with a key, as stored providers call it. */
export const WITH_KEY = 'default'

export interface Mode {
  readonly name: 'entra' | 'managed' | 'workload'
  /** The setting that asks for it. */
  readonly by: string
}

const BY_SETTING: readonly (readonly [setting: string, name: Mode['name']])[] = [
  ['azure_entra_tenant_id', 'entra'],
  ['azure_entra_client_id', 'entra'],
  ['azure_entra_client_secret', 'entra'],
  ['azure_entra_scope', 'entra'],
  ['azure_managed_client_id', 'managed'],
  ['azure_workload_client_id', 'workload'],
]

/** @throws UnsupportedConfig for a login that nobody knows: the call must not go out with another one instead */
export const modeOf = (settings: Settings): Mode | undefined => {
  const mode = settings.azure_auth_mode ?? ''
  if (mode === WITH_KEY) return undefined
  if (mode === 'entra' || mode === 'managed' || mode === 'workload') return { name: mode, by: 'azure_auth_mode' }
  if (mode !== '') {
    throw new UnsupportedConfig('`azure_auth_mode` is none of `default`, `entra`, `managed` and `workload`.', {
      param: 'azure_auth_mode',
    })
  }
  const [by, name] = BY_SETTING.find(([setting]) => (settings[setting] ?? '') !== '') ?? []
  return by === undefined || name === undefined ? undefined : { name, by }
}
