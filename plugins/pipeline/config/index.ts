import { definePlugin, type Stage, t } from '#kit'
import { callConfig, gatewayHeaders } from '#kit/slots'
import { readFlag } from './call-headers.ts'
import { listCatalogue } from './catalogue.ts'
import { readMetadata } from './metadata.ts'
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
          return listCatalogue(host.providers.list())
        }
        const metadata = readMetadata(headers.get('metadata'), call.request.headers.get('baggage'))
        call.set(callConfig, { targets: [readTarget(call, host)], metadata })
        return next()
      },
    }
    return { stages: [config] }
  },
})
