import { applyTargetParams } from '#calls/target-params'
import { wholeBody } from '#core/bodies/body'
import { KEEP_ALIVE_COMMENT } from '#core/bodies/sse'
import { type Answer, type Call, isReadyStream, Pipe, type ReadyStream } from '#kit'
import { target } from '#kit/slots'
import { Continuation } from './continue.ts'
import type { Recovery } from './recovery.ts'
import { Restart, type RestartOptions } from './restart.ts'
import { SentAnswer } from './sent.ts'

/** The answer of a call whose stream goes on elsewhere when it breaks. */
export const recoverStream = (recovery: Recovery, options: RestartOptions): Answer | Promise<Answer> => {
  const { answer, call } = recovery
  const { body } = answer
  if (!isReadyStream(body) || !call.endpoint.recovery.some((mode) => mode === recovery.mode)) return answer
  return recovery.mode === 'restart'
    ? restarted(recovery, body, options)
    : { ...answer, body: new Pipe(body, new Continuation(recovery, new SentAnswer({ choices: choicesOf(call) }))) }
}

const restarted = async (recovery: Recovery, body: ReadyStream, options: RestartOptions): Promise<Answer> => {
  const restart = new Restart(recovery, options.maxBytes)
  const stream = new Pipe(body, restart)
  const timer = setTimeout(() => {
    // Without a byte behind it the server would keep the head.
    stream.write(KEEP_ALIVE_COMMENT)
    stream.wake()
  }, options.patienceMs)
  await stream.begin().finally(() => clearTimeout(timer))
  return { ...restart.answer, body: stream }
}

/** `n` as the provider was asked. */
const choicesOf = (call: Call): number => {
  const to = call.find(target)
  const body = wholeBody(call.request.body).json()
  const { n } = to === undefined ? body : applyTargetParams(body, to)
  return typeof n === 'number' ? n : 1
}
