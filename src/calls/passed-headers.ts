import { InvalidHeader } from '../errors/gateway-error.ts'
import type { Provider } from '../kit/provider/provider.ts'
import type { GatewayHeaders, Target } from '../kit/slots.ts'

interface PassedHeader {
  readonly name: string
  /** How a config writes it: `openai_organization`. */
  readonly setting: string
}

/** Worked out once a provider. */
const ofProviders = new WeakMap<Provider, readonly PassedHeader[]>()

const passedHeaders = (provider: Provider): readonly PassedHeader[] => {
  const known = ofProviders.get(provider)
  if (known !== undefined) return known
  const made = (provider.headers ?? []).map((name) => ({ name, setting: toSetting(name) }))
  ofProviders.set(provider, made)
  return made
}

const toSetting = (header: string): string => header.replaceAll('-', '_')

/** Names, in snake_case, of all that a config may set of a provider: its settings, and the headers that are passed on. */
export const settingNamesOf = ({ settings = {}, headers = [] }: Pick<Provider, 'settings' | 'headers'>) => [
  ...Object.keys(settings),
  ...headers.map(toSetting),
]

/** What a header may hold. */
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/**
 * Gives the headers that calls may set of a provider to `set`: as the target's config says it, else as the call does, with or
 * without the gateway's prefix.
 * @throws InvalidHeader for a value that no header can hold
 */
export const setPassedHeaders = (
  { provider, settings }: Target,
  named: GatewayHeaders,
  client: Headers,
  set: (name: string, value: string) => void,
): void => {
  for (const { name, setting } of passedHeaders(provider)) {
    const value = settings[setting] ?? named.get(name) ?? client.get(name)
    if (value === null || value === undefined) continue
    if (!HEADER_VALUE.test(value)) {
      throw new InvalidHeader(`\`${setting}\` holds characters that no header can hold.`, { param: setting })
    }
    set(name, value)
  }
}
