import { maskSecret } from '../../secrets/mask.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { MaskedFields, SealedFields } from '../../store/schema/integrations.ts'
import type { Db } from '../../store/types.ts'

/** What a secret is bound to: sealed under one of these, it opens under no other. */
export interface SecretPlace {
  readonly organisationId: string
  readonly integrationId: string
  /** Set for the secrets of one model. */
  readonly modelSlug?: string
}

export interface SealedSecrets {
  readonly secrets: SealedFields
  readonly masked: MaskedFields
}

/** Name of a configuration field among the secrets of its row. */
export const secretName = (field: string): string => `configurations.${field}`

/** Names of secrets that are headers: `configurations.custom_headers`. */
const HEADERS = /(?:\.|_)headers$/
const DOCUMENT = secretName('vertex_service_account_json')

/** The field that a secret of this name is sealed under. */
export const sealedField = ({ modelSlug }: SecretPlace, name: string): string =>
  modelSlug === undefined ? name : `models.${modelSlug}.${name}`

/**
 * Seals secrets, by name: `key`, or that of a configuration field.
 * @param values in clear
 */
export const sealSecrets = async (
  db: Db,
  secretBox: SecretBox,
  place: SecretPlace,
  values: Readonly<Record<string, string>>,
): Promise<SealedSecrets> => {
  const secrets: Record<string, string> = {}
  const masked: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = sealedField(place, name)
    secrets[name] = await secretBox.seal(db, place.organisationId, place.integrationId, field, value)
    masked[name] = maskOf(name, value)
  }
  return { secrets, masked }
}

/** Masks a secret: the names of headers may be seen, nothing of a whole document. */
const maskOf = (name: string, value: string): string => {
  if (HEADERS.test(name)) return Object.keys(JSON.parse(value) as Record<string, unknown>).join(', ')
  return name === DOCUMENT ? '*****' : maskSecret(value)
}
