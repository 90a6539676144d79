import { askingCheck, guardrailReports } from '#calls/slots'
import { definePlugin, type Stage, t } from '#kit'
import { principal, target } from '#kit/slots'
import { Guard } from './guarded-call.ts'
import { Guardrails } from './guardrails-of.ts'

/** Looks at what is asked of a target, before it is, and at what it answers: with the guardrails of organisation, workspace and config. */
export default definePlugin({
  name: 'guardrails',
  config: t.Object({
    streamBufferBytes: t.Integer({
      default: 8 * 1024 * 1024,
      minimum: 1024,
      description:
        'Bytes of a stream that a guardrail holds back at most. With `stream_mode: buffer` a longer answer is an error; checks that need all of an answer do not look at a longer one.',
    }),
  }),
  needs: ['checkPowers', 'checks', 'clock', 'guardrails', 'randomId', 'records'],
  setup({ streamBufferBytes }, host) {
    const guardrails = new Guardrails(host)
    const guard = new Guard(host, streamBufferBytes)
    const stage: Stage = {
      name: 'guardrails',
      run(call, next) {
        const { workspaceId } = call.get(principal)
        if (workspaceId === undefined || call.find(askingCheck) !== undefined) return next()
        const found = guardrails.of(workspaceId, call.get(target).guardrails)
        if (found !== undefined) return guard.answer(call, next, found)
        // Those of the target before it are not its own.
        if (call.find(guardrailReports) !== undefined) call.set(guardrailReports, undefined)
        return next()
      },
    }
    return { stages: [stage] }
  },
})
