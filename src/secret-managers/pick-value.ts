import type { SecretMapping } from '../store/schema/integrations.ts'
import { parsedRecord } from './answer.ts'
import { SecretFailure } from './manager.ts'
import type { FoundSecret } from './secret-references.ts'

/**
 * The value that a mapping takes of a secret: the whole of it, or one field; a text as it is, or what its JSON says.
 * @throws SecretFailure for a secret that has no such value
 */
export const pickValue = (
  { secret, secretKey: own }: Pick<FoundSecret, 'secret' | 'secretKey'>,
  { secretKey, valueFormat }: Pick<SecretMapping, 'secretKey' | 'valueFormat'>,
): unknown => {
  const name = secretKey ?? own
  const value = name === null ? (secret.fields ?? secret.text) : fieldOf(secret, name)
  if (value === '' || value === null) throw new SecretFailure('unusable', 'its value is empty')
  if (valueFormat === 'json') return typeof value === 'string' ? parsed(value) : value
  if (valueFormat === 'string' || typeof value !== 'object') return toText(value)
  return value
}

/** Characters of the longest key, as of one that is written into a body. */
const MAX_KEY_CHARACTERS = 8192
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/

/** The key of a provider. @throws SecretFailure for a value that cannot be one */
export const pickKey = (found: Parameters<typeof pickValue>[0], mapping: Parameters<typeof pickValue>[1]): string => {
  const value = pickValue(found, mapping)
  if (typeof value === 'object') {
    throw new SecretFailure('unusable', 'its value is an object and no key: name a field of it in `secret_key`')
  }
  const key = toText(value)
  if (CONTROL.test(key) || key.length > MAX_KEY_CHARACTERS) {
    throw new SecretFailure(
      'unusable',
      'its value is no key: it is too long, or holds line breaks or control characters',
    )
  }
  return key
}

const fieldOf = ({ fields, text }: FoundSecret['secret'], name: string): unknown => {
  const record = fields ?? parsedRecord(text)
  if (record === undefined) {
    throw new SecretFailure('unusable', 'its value is no JSON object, and `secret_key` asks for a field of it')
  }
  if (!Object.hasOwn(record, name)) throw new SecretFailure('unusable', 'its value has no field as `secret_key` says')
  return record[name]
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new SecretFailure('unusable', 'its value is no JSON, and `value_format` asks for it')
  }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
