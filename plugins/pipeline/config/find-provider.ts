import { type Host, InvalidHeader, type Provider, ProviderRequired, UnknownProvider } from '#kit'
import type { GatewayHeaders } from '#kit/slots'
import type { Named } from './named-provider.ts'

/** @throws ProviderRequired, InvalidHeader, UnknownProvider */
export const findProvider = (named: Named | undefined, providers: Host['providers']): Provider => {
  if (named === undefined || named.name === '') {
    throw new ProviderRequired(
      'Name a provider in `x-gateway-provider`, in a config (`x-gateway-config`), or in the model as `@provider/model`.',
      { param: 'x-gateway-provider' },
    )
  }
  const { name } = named
  const provider = providers.get(name)
  if (provider !== undefined) return provider
  if (!/^[a-z0-9-]{1,64}$/.test(name)) {
    throw new InvalidHeader('`x-gateway-provider` must be the id of a provider, such as `openai`.', {
      param: 'x-gateway-provider',
    })
  }
  const known = providers.list().map((each) => each.id)
  throw new UnknownProvider(`There is no provider '${name}' here. Running are: ${known.join(', ') || 'none'}.`, {
    param: 'x-gateway-provider',
  })
}

/** The settings of a provider that the call brings in its headers; undefined for none. */
export const settingsFromHeaders = (
  { settings: names }: Provider,
  headers: GatewayHeaders,
): Record<string, string> | undefined => {
  if (names === undefined) return undefined
  let settings: Record<string, string> | undefined
  for (const name of Object.keys(names)) {
    const value = headers.get(names[name] ?? name)
    if (value === undefined) continue
    settings ??= {}
    settings[name] = value
  }
  return settings
}
