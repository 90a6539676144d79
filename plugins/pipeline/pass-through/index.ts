import { definePlugin, type Route, readPassThrough, readPath, restOfPath, type Stage, t } from '#kit'
import { passThrough } from '#kit/slots'

/** Any path that is not one of ours goes to the provider of the call, as it came. */
export default definePlugin({
  name: 'pass-through',
  config: t.Object({}),
  setup() {
    const stage: Stage = {
      name: 'pass-through',
      async run(call, next) {
        call.set(passThrough, readPassThrough(call, readPath(restOfPath(call))))
        return next()
      },
    }
    const routes = ['/v1/gateway', '/v1/gateway/*', '/v1/*', '/openai/v1/*'].map(
      (path): Route => ({ method: 'ALL', path, endpoint: 'proxy', stages: [stage] }),
    )
    return { routes }
  },
})
