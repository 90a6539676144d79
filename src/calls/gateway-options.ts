import type { Call } from '../core/call.ts'
import { isRecord } from '../core/json/record.ts'
import { InvalidRequest } from '../errors/gateway-error.ts'
import { type GatewayHeaders, gatewayHeaders } from '../kit/slots.ts'

const PREFIX = 'x-gateway-'

/**
 * Takes `gateway_options` and `provider_options` out of the body of a call, before its config is read: the former are gateway headers by
 * their names, with their prefix or without, which a header of the call itself goes before; the latter are parameters of the provider, and stand beside the others then.
 * @param names of the headers, without their prefix, that the body may say
 * @throws InvalidRequest naming the option
 */
export const takeOptions = (call: Call, names: readonly string[]): void => {
  const { gateway_options: ours, provider_options: theirs, ...params } = call.params
  if (ours === undefined && theirs === undefined) return
  if (ours !== undefined && ours !== null)
    call.set(gatewayHeaders, withOptions(call, fieldsOf(ours, 'gateway_options'), names))
  call.replaceParams({
    ...params,
    ...(theirs === undefined || theirs === null ? {} : fieldsOf(theirs, 'provider_options')),
  })
}

const fieldsOf = (value: unknown, param: string): Readonly<Record<string, unknown>> => {
  if (isRecord(value)) return value
  throw new InvalidRequest(`\`${param}\` must be an object.`, { param })
}

const withOptions = (
  call: Call,
  options: Readonly<Record<string, unknown>>,
  names: readonly string[],
): GatewayHeaders => {
  const said = new Map<string, string>()
  for (const [name, value] of Object.entries(options)) {
    const param = `gateway_options.${name}`
    const given = name.toLowerCase().replaceAll('_', '-')
    const known = names.find((each) => each === given || `${PREFIX}${each}` === given)
    if (known === undefined) {
      const listed = names.map((each) => `\`${PREFIX}${each}\``).join(', ')
      throw new InvalidRequest(`\`${param}\` is none of: ${listed}.`, { param })
    }
    if (typeof value !== 'string') throw new InvalidRequest(`\`${param}\` must be a string.`, { param })
    said.set(known, value)
  }
  const headers = call.get(gatewayHeaders)
  return {
    get: (name) => headers.get(name) ?? said.get(name),
    aliasPrefix: () => headers.aliasPrefix(),
    owns: (name) => headers.owns(name),
  }
}
