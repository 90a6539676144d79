import { type Static, Type as t } from '@sinclair/typebox'
import { ManagementReference } from '../../errors/gateway-error.ts'
import type { Db } from '../../store/types.ts'
import { Reference } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import type { ProviderDeps } from './deps.ts'

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
 * The fields that the mappings fill: `key`, or names of configuration fields.
 * @throws ManagementInvalid for a field that is filled twice or does not exist; ManagementReference for an unknown secret.
 */
export const checkSecretMappings = async (
  db: Db,
  deps: Pick<ProviderDeps, 'secretReferenceExists'>,
  organisationId: string,
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
    if (!(await deps.secretReferenceExists(db, organisationId, mapping.secret_reference_id))) {
      const param = `${path}.secret_reference_id`
      throw new ManagementReference(`There is no secret reference '${mapping.secret_reference_id}'.`, { param })
    }
  }
  return filled
}
