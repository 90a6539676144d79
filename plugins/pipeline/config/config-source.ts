import { keyDefaults } from '#calls/slots'
import type { StoredConfig } from '#core/ports'
import { type Call, type Host, InvalidConfig } from '#kit'
import { gatewayHeaders, legacyCall, principal } from '#kit/slots'

/** Where the config of a call comes from. */
export type ConfigSource =
  | { readonly kind: 'headers' }
  | { readonly kind: 'inline'; readonly text: string; readonly mayBeVersion1?: boolean }
  | { readonly kind: 'saved'; readonly stored: StoredConfig }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The config of the call itself, else the default of its key, else that of its workspace (behaviour reference,
 * section 1.4).
 * @throws InvalidConfig for a saved one that is not there, and for one that the key does not allow.
 */
export const configSource = (call: Call, configs: Host['configs']): ConfigSource => {
  const { workspaceId } = call.get(principal)
  const { configId, allowConfigOverride } = call.get(keyDefaults)
  const legacy = call.find(legacyCall)
  const text = legacy?.config === undefined ? call.get(gatewayHeaders).get('config')?.trim() : asText(legacy.config)
  const find = (reference: string): StoredConfig | undefined =>
    workspaceId === undefined ? undefined : configs.find(workspaceId, reference)
  if (text !== undefined) {
    const source = named(text, find, legacy !== undefined)
    if (allowConfigOverride === false) refuseOther(source, configId === undefined ? undefined : find(configId))
    return source ?? notThere(`There is no saved config '${text}'.`)
  }
  if (configId !== undefined) {
    const stored = find(configId)
    return stored === undefined
      ? notThere(`The default config of the gateway key, '${configId}', does not exist.`)
      : { kind: 'saved', stored }
  }
  const stored = workspaceId === undefined ? undefined : configs.defaultOf(workspaceId)
  return stored === undefined ? { kind: 'headers' } : { kind: 'saved', stored }
}

/** What begins like a slug, or is an id, names a saved config; anything else is one. */
const named = (
  text: string,
  find: (reference: string) => StoredConfig | undefined,
  mayBeVersion1: boolean,
): Exclude<ConfigSource, { kind: 'headers' }> | undefined => {
  if (!text.startsWith('pc-') && !UUID.test(text)) return { kind: 'inline', text, mayBeVersion1 }
  const stored = find(text)
  return stored === undefined ? undefined : { kind: 'saved', stored }
}

/** A config in a body is an object, or names a saved one. */
const asText = (config: unknown): string => (typeof config === 'string' ? config.trim() : JSON.stringify(config))

const refuseOther = (source: ConfigSource | undefined, own: StoredConfig | undefined): void => {
  if (source?.kind === 'saved' && source.stored === own) return
  throw new InvalidConfig('The gateway key does not allow a call to bring its own config.', {
    param: 'x-gateway-config',
  })
}

const notThere = (message: string): never => {
  throw new InvalidConfig(message, { param: 'x-gateway-config' })
}
