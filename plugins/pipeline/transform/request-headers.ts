import { setPassedHeaders } from '#calls/passed-headers'
import { callerKeys } from '#calls/slots'
import { HeaderList } from '#core/header-fields'
import type { Call, HeaderFields } from '#kit'
import { gatewayHeaders, type Target } from '#kit/slots'

/** What a provider is told about a request. @param type of its body, where it has one @param accept types of the answer */
export const headersFor = (call: Call, target: Target, type: string | undefined, accept: string): HeaderFields => {
  const client = call.request.headers
  const named = call.get(gatewayHeaders)
  const headers = new HeaderList()
  headers.set('accept', accept)
  headers.set('user-agent', 'weir')
  if (type !== undefined) headers.set('content-type', type)
  for (const name of target.forwardHeaders) {
    const value = client.get(name)
    if (value !== null && !call.get(callerKeys).isGatewayKey(value)) headers.set(name, value)
  }
  if (target.provider.headers !== undefined) {
    setPassedHeaders(target, named, client, (name, value) => headers.set(name, value))
  }
  if (target.headers !== undefined) {
    for (const [name, value] of Object.entries(target.headers)) {
      if (!named.owns(name.toLowerCase())) headers.set(name, value)
    }
  }
  return headers
}

/** Headers of the client that the provider takes, for an adapter that puts them elsewhere. */
export const passedHeadersOf = (call: Call, target: Target): Readonly<Record<string, string>> => {
  const passed: Record<string, string> = {}
  setPassedHeaders(target, call.get(gatewayHeaders), call.request.headers, (name, value) => {
    passed[name] = value
  })
  return passed
}
