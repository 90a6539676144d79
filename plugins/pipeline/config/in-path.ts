import { type Call, InvalidRequest, type Provider } from '#kit'
import { passThrough } from '#kit/slots'

/** The model that the path of a call names, for a provider that has it there. The path was checked: it can be decoded. */
export const modelInPath = (call: Call, provider: Provider): string | undefined => {
  const path = call.find(passThrough)?.path
  return path === undefined ? undefined : provider.modelInPath?.(decodeURIComponent(path))
}

/** Labels of letters, digits and inner hyphens: no port, no login, nothing that is encoded. */
const PLAIN = /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]+$/i

/**
 * The host that the path of a call begins with, when it is not where the provider's calls go anyway.
 * @param customHost base URL in the place of the provider's
 * @throws InvalidRequest for a host outside the provider's own domains
 */
export const hostInPath = (
  call: Call,
  provider: Provider,
  settings: Readonly<Record<string, string>> = {},
  customHost?: string,
): string | undefined => {
  const host = call.find(passThrough)?.host
  if (host === undefined) return undefined
  const name = PLAIN.test(host) && URL.canParse(host) ? new URL(host).hostname : ''
  if (!(provider.hostSuffixes ?? []).some((suffix) => name.endsWith(suffix))) {
    throw new InvalidRequest(`The host in the path is not one of the provider '${provider.id}'.`, { param: 'path' })
  }
  const usual = customHost ?? usualBaseURL(provider, settings)
  return usual !== undefined && new URL(usual).origin === new URL(host).origin ? undefined : host
}

/** Undefined when the provider has none without more settings. */
const usualBaseURL = ({ baseURL }: Provider, settings: Readonly<Record<string, string>>): string | undefined => {
  if (typeof baseURL === 'string') return baseURL
  try {
    return baseURL(settings)
  } catch {
    return undefined
  }
}
