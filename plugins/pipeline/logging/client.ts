import type { Call } from '#kit'
import { gatewayHeaders } from '#kit/slots'

/** Characters of each. */
const MAX_CHARACTERS = 64

/** What a client says of itself. */
export interface Client {
  /** Name and version of its library: `OpenAI/Python 1.99.0`, `curl/8.5.0`. */
  readonly sdk: string | undefined
  /** What that runs on: `CPython 3.13.1`. */
  readonly runtime: string | undefined
}

/** By the headers of the interface's own libraries, else by those of the ones that OpenAI and Anthropic have made. */
export const clientOf = (call: Call): Client => {
  const { headers } = call.request
  const own = call.find(gatewayHeaders)
  return {
    sdk: clipped(own?.get('package-version')) ?? libraryOf(headers.get('user-agent')),
    runtime:
      joined(own?.get('runtime'), own?.get('runtime-version')) ??
      joined(headers.get('x-stainless-runtime'), headers.get('x-stainless-runtime-version')),
  }
}

/** What follows in brackets says what the machine is: nobody's business. */
const libraryOf = (userAgent: string | null): string | undefined => {
  if (userAgent === null) return undefined
  const end = userAgent.indexOf(' (')
  return clipped(end === -1 ? userAgent : userAgent.slice(0, end))
}

const joined = (name: string | null | undefined, version: string | null | undefined): string | undefined =>
  name == null ? undefined : clipped(version == null ? name : `${name} ${version}`)

const clipped = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text.slice(0, MAX_CHARACTERS)
