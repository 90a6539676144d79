import { type Call, definePlugin, type Stage, t } from '#kit'
import { callConfig, gatewayHeaders, keyDefaults, principal } from '#kit/slots'
import { readFlag } from './call-headers.ts'
import { listCatalogue } from './catalogue.ts'
import { MAX_VALUE_CHARACTERS, readMetadata } from './metadata.ts'
import { namesNothing, readTarget } from './read-target.ts'

/** What the call asks for: provider headers or an inline config become one target. Lists the own models when none is named. */
export default definePlugin({
  name: 'config',
  config: t.Object({}),
  setup(_config, host) {
    const config: Stage = {
      name: 'config',
      async run(call, next) {
        const headers = call.get(gatewayHeaders)
        if (call.endpoint === 'models' && (namesNothing(headers) || readFlag(headers, 'fetch-integrated-models'))) {
          const { workspaceId } = call.get(principal)
          return listCatalogue(host.providers.list(), workspaceId === undefined ? [] : host.stored.models(workspaceId))
        }
        const metadata = readMetadata(headers.get('metadata'), call.request.headers.get('baggage'))
        const to = await readTarget(call, host)
        call.set(callConfig, {
          targets: [to],
          ...(to.model === undefined ? {} : { model: to.model }),
          // What the workspace or the key says wins over the call (behaviour reference, section 1.4).
          metadata: { ...userOf(call), ...metadata, ...call.get(keyDefaults).metadata },
        })
        return next()
      },
    }
    return { stages: [config] }
  },
})

/** `user` of the body is the user of the call, unless its metadata names one. */
const userOf = (call: Call): { readonly _user?: string } => {
  if (call.endpoint === 'models') return {}
  const { user } = call.request.body.json()
  return typeof user === 'string' && user !== '' ? { _user: user.slice(0, MAX_VALUE_CHARACTERS) } : {}
}
