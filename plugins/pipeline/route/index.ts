import { type DryRun, dryRun } from '#calls/slots'
import { createLocalFlags } from '#core/local-stores'
import { type Answer, type Call, definePlugin, isStreamed, type Stage, t } from '#kit'
import type { PlanNode } from '#kit/plan'
import { callConfig } from '#kit/slots'
import { Breakers } from './breaker.ts'
import { explainRoute } from './explain.ts'
import { beginInTime } from './held-stream.ts'
import { Journey, type JourneyOptions } from './journey.ts'
import { Patience } from './patience.ts'
import { recoverStream } from './recovery/recover-stream.ts'
import { nameTarget } from './reply-headers.ts'
import { wait } from './retry.ts'
import { askSingle } from './single.ts'

/** Chooses where the call goes and makes the attempts: each is a fork, so that nothing of a failed one leaks into the next. */
export default definePlugin({
  name: 'route',
  config: t.Object({
    maxAttempts: t.Integer({
      default: 10,
      minimum: 1,
      description: 'Most requests to providers that one call may cause, over all retries and targets.',
    }),
    retryBaseMs: t.Integer({
      default: 1000,
      minimum: 0,
      maximum: 60_000,
      description:
        'Milliseconds of the first wait before a retry; it doubles with each. Half of every wait is left to chance.',
    }),
    firstEventPatienceMs: t.Integer({
      default: 15_000,
      minimum: 0,
      description:
        'Milliseconds a stream is held back for its first meaningful event, so that a failure before it gets an HTTP status. After that the stream begins with comments, whichever target is being asked.',
    }),
    restartBufferBytes: t.Integer({
      default: 8 * 1024 * 1024,
      minimum: 1024,
      description:
        'Bytes of a stream that `stream_recovery: restart` holds back. A longer answer begins with them, and cannot be restarted from there.',
    }),
    restartPatienceMs: t.Integer({
      default: 10_000,
      minimum: 0,
      description:
        'Milliseconds for which `stream_recovery: restart` holds the head of the answer back as well, so that it names the right target. After that the client gets comments until the answer is whole.',
    }),
  }),
  needs: ['clock', 'deadlines', 'flags', 'metrics', 'random', 'resilience'],
  setup(settings, { clock, deadlines, flags, metrics, random, resilience }) {
    const { maxAttempts, retryBaseMs, firstEventPatienceMs, restartBufferBytes, restartPatienceMs } = settings
    const now = (): number => clock.monotonicMs()
    const breakers = { saved: new Breakers(flags, now), inline: new Breakers(createLocalFlags(now), now) }
    metrics.gauge(
      {
        name: 'weir.breakers.open',
        description: 'Targets of configs that are left alone for now, as they failed too often.',
        unit: '{target}',
        across: 'max',
      },
      () => [
        [breakers.saved.openCount, { config: 'saved' }],
        [breakers.inline.openCount, { config: 'inline' }],
      ],
    )
    const patience = new Patience({ deadlines, resilience, now })
    const options: JourneyOptions = {
      breakers,
      patience,
      resilience,
      random,
      wait,
      recover: (recovery) => recoverStream(recovery, { maxBytes: restartBufferBytes, patienceMs: restartPatienceMs }),
      now,
      wallClock: () => clock.now(),
      totalMs: deadlines.totalMs,
      maxAttempts,
      retryBaseMs,
    }
    const explain = async (call: Call, state: DryRun): Promise<Answer> => {
      await explainRoute(call, state, { breakers, patience, random, nowMs: clock.now() })
      return emptyAnswer()
    }
    const inTime = (call: Call, answer: Promise<Answer>, onHeld: () => void): Promise<Answer> =>
      isStreamed(call) ? beginInTime(answer, firstEventPatienceMs, onHeld) : answer
    const route: Stage = {
      name: 'route',
      attempts: true,
      run(call, next) {
        const state = call.find(dryRun)
        if (state !== undefined) return explain(call, state)
        const { plan, only } = call.get(callConfig)
        const { root } = plan
        const { body } = call.request
        if (body.kind === 'streamed' && call.endpoint.replay === 'spooled' && mayAskAgain(root)) body.keep()
        if (root.kind !== 'leaf' || only === undefined) {
          const journey = new Journey(call, next, options)
          return inTime(call, journey.run(), () => journey.nameTarget())
        }
        const answer = askSingle(call, next, { leaf: root, to: only, state: patience.alone(call, only) }, options)
        return inTime(call, answer, () => nameTarget(call, root.path, only, 0))
      },
    }
    return { stages: [route] }
  },
})

/** Whether a call may need its body a second time. */
const mayAskAgain = (node: PlanNode): boolean =>
  node.kind === 'leaf' ? node.retry !== undefined : node.mode === 'fallback' || node.children.some(mayAskAgain)

const emptyAnswer = (): Answer => ({ status: 200, headers: new Headers(), body: new Uint8Array(0) })
