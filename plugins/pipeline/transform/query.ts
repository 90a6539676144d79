import type { Call } from '#kit'
import type { Target } from '#kit/slots'

/** The query of the client, but for the parameter in which it may have put its key. */
export const searchOf = ({ request: { search } }: Call, { provider }: Target): string =>
  search === '' ? '' : withoutParameter(search, provider.keyParameter)

/** The query without the key of the call: it goes on in the provider's own way. */
export const withoutParameter = (query: string, name: string | undefined): string => {
  if (name === undefined || !query.includes(`${name}=`)) return query
  const kept = query
    .slice(1)
    .split('&')
    .filter((piece) => !new URLSearchParams(piece).has(name))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}
