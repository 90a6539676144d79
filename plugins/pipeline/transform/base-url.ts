import { trimSlashes } from '#core/trim-slashes'
import { type Provider, ProviderKeyRequired } from '#kit'
import type { Target } from '#kit/slots'

/** A host that the caller chose never sees the operator's key. @param place of what is asked, where it is not the provider's */
export const baseURLOf = (target: Target, place: Provider['baseURL'] = target.provider.baseURL): string => {
  const { provider, customHost, settings } = target
  const hasOwnLogin = provider.keySettings?.some((name) => (settings[name] ?? '') !== '') === true
  const apiKey = target.apiKey === '' ? undefined : target.apiKey
  if (customHost !== undefined) {
    if (!hasOwnLogin && apiKey === undefined && provider.needsKey && target.withoutKey !== true) {
      throw new ProviderKeyRequired('A call with `x-gateway-custom-host` must bring its own provider key.')
    }
    return customHost
  }
  // What is wrong with the place is said first.
  const baseURL = trimSlashes(typeof place === 'string' ? place : place(settings))
  const hasKey = apiKey !== undefined || (target.apiKey === undefined && provider.apiKey !== undefined)
  if (!hasKey && !hasOwnLogin && provider.needsKey) {
    throw new ProviderKeyRequired(
      `The provider '${provider.id}' needs a key: send it as \`Authorization: Bearer <key>\` with the gateway key in \`x-gateway-api-key\`.`,
    )
  }
  return baseURL
}
