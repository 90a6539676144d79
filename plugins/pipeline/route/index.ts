import { definePlugin, InvalidConfig, type Stage, t } from '#kit'
import { callConfig, target } from '#kit/slots'

/** Chooses where the call goes and makes the attempts: each is a fork, so that nothing of a failed one leaks into the next. */
export default definePlugin({
  name: 'route',
  config: t.Object({}),
  setup() {
    const route: Stage = {
      name: 'route',
      attempts: true,
      async run(call, next) {
        const [first] = call.get(callConfig).targets
        if (first === undefined) throw new InvalidConfig('The config has no target.', { param: 'targets' })
        call.replyHeaders.set('x-gateway-provider', first.provider.id)
        call.replyHeaders.set('x-gateway-last-used-option-index', first.path)
        call.replyHeaders.set('x-gateway-retry-attempt-count', '0')
        call.replyHeaders.set('x-gateway-cache-status', 'DISABLED')
        const attempt = call.fork()
        attempt.set(target, first)
        try {
          return await next(attempt)
        } finally {
          call.adopt(attempt)
        }
      },
    }
    return { stages: [route] }
  },
})
