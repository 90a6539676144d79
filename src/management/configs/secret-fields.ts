import { isSecretField } from '../integrations/configuration-fields.ts'

/** Whether a field of a config holds a secret. `virtual_key` is the name of a stored provider, in spite of its own. */
export const isSecretName = (name: string): boolean =>
  (isSecretField(name) || name.endsWith('_passphrase')) && name !== 'virtual_key'
