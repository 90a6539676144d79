import { type Static, Type as t } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import { ManagementReference } from '../../errors/gateway-error.ts'
import { secretReferenceRows } from '../../store/objects/secret-references.ts'
import type { Db } from '../../store/types.ts'
import { Reference } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'

const mappingOf = (prefix: string) =>
  t.Object({
    target_field: t.String({
      pattern: `^(key|${prefix}\\.[A-Za-z0-9_]{1,64})$`,
      description: `\`key\` or \`${prefix}.<field>\`; each at most once.`,
    }),
    secret_reference_id: Reference,
    secret_key: t.Optional(t.String({ minLength: 1, maxLength: 255 })),
    value_format: t.Optional(t.Union([t.Literal('json'), t.Literal('string')])),
  })

/** Values that come from a secret manager instead of the body (interface contract, section 1.7). */
export const SecretMappings = t.Array(mappingOf('configurations'), { maxItems: 64 })
export type SecretMapping = Static<typeof SecretMappings>[number]

/** The older form, of virtual keys. */
export const ModelConfigMappings = t.Array(mappingOf('model_config'), { maxItems: 64 })

/**
 * The fields that the mappings fill: `key`, or names of configuration fields. Their references stay until the transaction ends.
 * @throws ManagementInvalid for a field that is filled twice or does not exist; ManagementReference for a secret that is unknown,
 * or not for the workspace.
 */
export const checkSecretMappings = async (
  db: Db,
  { organisationId, workspaceId }: { readonly organisationId: string; readonly workspaceId: string | null },
  mappings: readonly SecretMapping[],
  fields: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const filled = new Set<string>()
  for (const [index, mapping] of mappings.entries()) {
    const path = `secret_mappings[${index}]`
    const field = mapping.target_field.replace(/^configurations\./, '')
    const isKey = mapping.target_field === 'key'
    if (!isKey && !fields.has(field)) throw invalidField(`${path}.target_field`, 'this provider has no such field')
    if (filled.has(field)) throw invalidField(`${path}.target_field`, 'this field is filled twice')
    filled.add(field)
    const { secret_reference_id: reference } = mapping
    const wanted = { organisationId, reference, ...defined({ workspaceId: workspaceId ?? undefined }) }
    if ((await secretReferenceRows.find(db, wanted, 'keep')) === undefined) {
      const param = `${path}.secret_reference_id`
      const where = workspaceId === null ? '' : ' that the workspace may use'
      throw new ManagementReference(`There is no secret reference '${reference}'${where}.`, { param })
    }
  }
  return filled
}
