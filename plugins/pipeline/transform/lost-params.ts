import { isAskedInFull } from '#calls/asked-in-full'
import { type Call, InvalidRequest } from '#kit'
import type { Target } from '#kit/slots'

/** Names that are told: they stand in a header and in the log, and a client may make up any number of them. */
const MAX_NAMES = 50
const MAX_NAME_CHARACTERS = 100

/**
 * Parameters that the provider did not get, as the header and the log name them: in characters that a header may hold, and
 * where there are more than anybody reads, how many.
 */
export const lostParams = (names: readonly string[]): readonly string[] => {
  if (names.length === 0) return names
  const told = names.slice(0, MAX_NAMES).map(printable)
  return names.length > MAX_NAMES ? [...told, `and ${names.length - MAX_NAMES} more`] : told
}

/**
 * A caller may have all of its request or nothing.
 * @throws InvalidRequest naming the first of what was lost, where `x-gateway-strict-params` says so
 */
export const refuseLoss = (call: Call, { provider }: Target, dropped: readonly string[]): void => {
  if (!isAskedInFull(call)) return
  throw new InvalidRequest(
    `The provider '${provider.id}' has no place for: ${dropped.join(', ')}. The call asked for all or nothing (\`x-gateway-strict-params\`).`,
    { param: dropped[0] ?? '', wireCode: 'unsupported_parameter' },
  )
}

const printable = (name: string): string => {
  const cut = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}...` : name
  return cut.replace(/[^\x20-\x2b\x2d-\x7e]/g, '?')
}
