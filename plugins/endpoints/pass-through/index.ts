import { readPassThrough, readPath, restOfPath } from '#calls/pass-through/pass-through'
import { definePlugin, NotFound, type Route, type Stage, t } from '#kit'
import { passThrough } from '#kit/slots'
import { isOwnGroup } from './own-groups.ts'

/** Any path that is not one of ours goes to the provider of the call, as it came. */
export default definePlugin({
  name: 'pass-through',
  config: t.Object({}),
  setup() {
    const stage: Stage = {
      name: 'pass-through',
      async run(call, next) {
        call.set(passThrough, await readPassThrough(call, readPath(restOfPath(call))))
        return next()
      },
    }
    const ownPathsStay: Stage = {
      ...stage,
      async run(call, next) {
        const rest = restOfPath(call)
        if (!isOwnGroup(rest)) return stage.run(call, next)
        throw new NotFound(
          `Not Found: paths like this one belong to the management interface, which has no such route. That of a provider is \`/v1/gateway${rest}\`.`,
        )
      },
    }
    const toRoute =
      (own: Stage) =>
      (path: string): Route => ({ method: 'ALL', path, endpoint: 'proxy', stages: [own] })
    return {
      routes: [
        ...['/v1/gateway', '/v1/gateway/*'].map(toRoute(stage)),
        ...['/v1/*', '/openai/v1/*'].map(toRoute(ownPathsStay)),
        // Of clients of Gemini, who have Weir as their base URL.
        toRoute(stage)('/v1beta/*'),
      ],
    }
  },
})
