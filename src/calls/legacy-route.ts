import type { Call } from '../core/call.ts'
import { defined } from '../core/defined.ts'
import type { EndpointDirectory } from '../core/endpoint.ts'
import { isRecord } from '../core/json/record.ts'
import type { Route } from '../core/route.ts'
import { InvalidRequest } from '../errors/gateway-error.ts'
import { gatewayHeaders, legacyCall, passThrough, trace } from '../kit/slots.ts'
import { readLegacyConfig } from './config/legacy-config.ts'
import { modernParams } from './config/legacy-params.ts'
import { readPassThrough } from './pass-through/pass-through.ts'

/** 8 December 2023, when the new routes took the place of the old ones (interface specification, section 9). */
export const LEGACY_SINCE = Date.UTC(2023, 11, 8) / 1000

export interface LegacyRouteOptions {
  /** `/v1/complete`. */
  readonly path: string
  readonly endpoint: 'chat' | 'completions' | 'embeddings'
  /** `/v1/completions`. */
  readonly successor: string
}

/**
 * A route of 2023: its body is `{config, params}`, where the config says where the call goes and `params` is what the
 * successor gets as its body. A body without both is one in the provider's own format, and passes through to the provider
 * that the headers name.
 */
export const legacyRoute = (
  { path, endpoint, successor }: LegacyRouteOptions,
  endpoints: EndpointDirectory,
): Route => ({
  method: 'POST',
  path,
  endpoint,
  deprecated: { since: LEGACY_SINCE, successor },
  stages: [
    {
      name: 'legacy',
      async run(call, next) {
        const { config, params } = call.params
        if (config === undefined && params === undefined) {
          call.become(endpoints.get('proxy'))
          call.set(legacyCall, {})
          call.set(passThrough, await readPassThrough(call, { vendor: endpoint }))
          return next()
        }
        readConfig(call, config, successor)
        if (!isRecord(params)) throw new InvalidRequest('`params` must be an object.', { param: 'params' })
        call.replaceParams(modernParams(params))
        return next()
      },
    },
  ],
})

/** The config of the body; options of version 1.0 also said what is a header of the call today. */
const readConfig = (call: Call, written: unknown, successor: string): void => {
  const { config, metadata, traceId, cacheForceRefresh } = readLegacyConfig(written, successor)
  call.set(legacyCall, {
    ...defined({ config, metadata }),
    ...(cacheForceRefresh ? { cacheForceRefresh } : {}),
  })
  if (traceId === undefined || call.get(gatewayHeaders).get('trace-id') !== undefined) return
  call.set(trace, { ...call.get(trace), traceId })
  call.replyHeaders.set('x-gateway-trace-id', traceId)
}
