import { defined } from '../../core/defined.ts'
import {
  MCP_INTEGRATION_SLUG_TAKEN,
  type McpIntegration,
  mcpIntegrationRows,
  type NewMcpIntegration,
} from '../../store/objects/mcp-integrations.ts'
import { newId } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'
import { toMapping } from '../integrations/answers.ts'
import { checkUrl } from '../integrations/configurations.ts'
import { sealSecrets } from '../integrations/sealing.ts'
import { checkSecretMappings, type SecretMapping } from '../integrations/secret-mappings.ts'
import { invalidField } from '../invalid-field.ts'
import { columnsOf } from '../resource/answer.ts'
import { refuseTaken } from '../resource/taken.ts'
import { toSlug } from '../slug.ts'
import { requireFor, secretOfSection, splitConfigurations } from './configurations.ts'
import type { McpDeps } from './deps.ts'
import type { McpIntegrationChangeBody, NewMcpIntegrationBody } from './model.ts'

/** Sections whose secret may come from elsewhere. */
const MAPPED_FIELDS = new Set(['headers', 'passthrough_headers', 'oauth_client_credentials'])

/**
 * Stores an MCP integration, its secrets sealed.
 * @throws ManagementInvalid naming the field; ManagementReference for an unknown secret; ManagementConflict for a slug that
 * the organisation has already.
 */
export const createMcpIntegration = async (
  db: Db,
  deps: McpDeps,
  place: Pick<NewMcpIntegration, 'organisationId' | 'workspaceId' | 'ownerId'>,
  body: NewMcpIntegrationBody,
): Promise<McpIntegration> => {
  const id = newId()
  const slug = body.slug ?? toSlug(body.name, deps.randomId, 'mcp')
  const { plain, secrets } = splitConfigurations(body.configurations ?? {}, {})
  const mapped = await mappedSecrets(db, place, body.secret_mappings ?? [])
  requireFor(body.auth_type, plain, new Set([...Object.keys(secrets), ...mapped]))
  const sealed = await sealSecrets(
    db,
    deps.secretBox,
    { organisationId: place.organisationId, integrationId: id },
    secrets,
  )
  const row = {
    ...{ id, slug, name: body.name, authType: body.auth_type, transport: body.transport },
    ...place,
    url: checkUrl('url', body.url, deps.checkCustomHost),
    configurations: plain,
    ...sealed,
    ...toColumns(body),
  }
  return refuseTaken(MCP_INTEGRATION_SLUG_TAKEN, 'slug', `There is an MCP integration '${slug}' already.`, () =>
    mcpIntegrationRows.insert(db, row),
  )
}

/**
 * Writes the given fields. Sections of the configurations that are not given stay, those that are null go.
 * @throws ManagementInvalid, ManagementReference
 */
export const updateMcpIntegration = async (
  db: Db,
  deps: McpDeps,
  stored: McpIntegration,
  body: McpIntegrationChangeBody,
): Promise<McpIntegration> => {
  const { id, organisationId } = stored
  const { plain, secrets, removed } = splitConfigurations(body.configurations ?? {}, stored.configurations)
  const url = body.url === undefined ? stored.url : checkUrl('url', body.url, deps.checkCustomHost)
  const kept = Object.keys(stored.secrets).filter((name) => !removed.includes(name) && secrets[name] === undefined)
  refuseRedirection(stored, url, plain, kept)
  const mapped =
    body.secret_mappings === undefined
      ? (stored.secretMappings ?? []).map(({ targetField }) => secretOfSection(targetField))
      : await mappedSecrets(db, stored, body.secret_mappings)
  requireFor(body.auth_type ?? stored.authType, plain, new Set([...kept, ...Object.keys(secrets), ...mapped]))
  const sealed = await sealSecrets(db, deps.secretBox, { organisationId, integrationId: id }, secrets)
  const updated = await mcpIntegrationRows.update(db, {
    id,
    ...columnsOf(body, ['name', 'auth_type', 'transport']),
    ...toColumns(body),
    url,
    configurations: plain,
    secrets: { ...without(stored.secrets, removed), ...sealed.secrets },
    masked: { ...without(stored.masked, removed), ...sealed.masked },
  })
  return updated ?? stored
}

const toColumns = ({ secret_mappings: mappings, ...fields }: McpIntegrationChangeBody) => ({
  ...columnsOf(fields, ['description']),
  ...defined({ secretMappings: mappings?.map(toMapping) }),
})

/** Names of the secrets that mappings stand in for. @throws ManagementInvalid, ManagementReference */
const mappedSecrets = async (
  db: Db,
  place: { readonly organisationId: string; readonly workspaceId?: string | null | undefined },
  mappings: readonly SecretMapping[],
): Promise<readonly string[]> => {
  const key = mappings.findIndex(({ target_field: target }) => target === 'key')
  if (key >= 0) throw invalidField(`secret_mappings[${key}].target_field`, 'must be `configurations.<field>`')
  const { organisationId, workspaceId = null } = place
  await checkSecretMappings(db, { organisationId, workspaceId }, mappings, MAPPED_FIELDS)
  return mappings.map(({ target_field: target }) => secretOfSection(target))
}

/** Sections with an address that a secret of theirs is sent to. */
const SENT_TO = { oauth_metadata: 'token_endpoint', oauth_client_credentials: 'token_endpoint' } as const

/**
 * Who may change an integration may not read its secrets, so must not have them sent to a host of theirs either: with another
 * address they are given anew.
 * @param kept names of the secrets that stay
 * @throws ManagementInvalid
 */
const refuseRedirection = (
  stored: McpIntegration,
  url: string,
  plain: Readonly<Record<string, unknown>>,
  kept: readonly string[],
): void => {
  if (kept.length > 0 && url !== stored.url)
    throw invalidField(kept[0] ?? '', 'must be given again together with another url')
  for (const [section, field] of Object.entries(SENT_TO)) {
    const secret = kept.find((name) => name.startsWith(`configurations.${section}.`))
    if (secret === undefined) continue
    const [before, after] = [stored.configurations[section], plain[section]].map((value) =>
      value instanceof Object ? Reflect.get(value, field) : undefined,
    )
    if (before !== after) throw invalidField(secret, `must be given again together with another ${field}`)
  }
}

const without = (fields: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
