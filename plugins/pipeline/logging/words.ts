import { type GatewayError, logWords } from '#kit'

/** Errors of ours as they are; a provider's are somebody else's. */
export const wordsOf = ({ message, options: { provider } }: GatewayError): string =>
  provider === undefined ? message : logWords(message)

/** Longest texts of a record that a client or a provider may have written. */
const MAX_CHARACTERS = 1_024

export const clipped = (text: string): string => (text.length <= MAX_CHARACTERS ? text : text.slice(0, MAX_CHARACTERS))

/** Where a provider was asked: without query and credentials. */
export const bareUrl = (url: string): string => {
  const end = url.search(/[?#]/)
  const bare = end === -1 ? url : url.slice(0, end)
  const path = bare.indexOf('/', bare.indexOf('//') + 2)
  const at = bare.lastIndexOf('@', path === -1 ? bare.length : path)
  return clipped(at === -1 ? bare : bare.slice(0, bare.indexOf('//') + 2) + bare.slice(at + 1))
}

/** Milliseconds as whole microseconds. */
export const toUs = (ms: number): number => Math.round(ms * 1000)
