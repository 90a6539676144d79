import { applyTargetParams } from '#calls/target-params'
import { type Answer, type ByteStream, type Call, isByteStream } from '#kit'
import { target } from '#kit/slots'
import type { Recovery } from './recovery.ts'
import { ContinuedStream } from './stream-continue.ts'
import { RestartedStream, type RestartOptions } from './stream-restart.ts'
import { SentAnswer } from './stream-sent.ts'

/** The answer of a call whose stream goes on elsewhere when it breaks. */
export const recoverStream = (recovery: Recovery, options: RestartOptions): Answer | Promise<Answer> => {
  const { answer, call } = recovery
  const { body } = answer
  if (!isByteStream(body) || !call.endpoint.recovery.some((mode) => mode === recovery.mode)) return answer
  return recovery.mode === 'restart'
    ? restarted(recovery, body, options)
    : { ...answer, body: new ContinuedStream(recovery, body, new SentAnswer({ choices: choicesOf(call) })) }
}

const restarted = async (recovery: Recovery, body: ByteStream, options: RestartOptions): Promise<Answer> => {
  recovery.mindSilence(true)
  const stream = new RestartedStream(recovery, body, options.maxBytes)
  await stream.settle(options.patienceMs)
  return { ...stream.answer, body: stream }
}

/** `n` as the provider was asked. */
const choicesOf = (call: Call): number => {
  const to = call.find(target)
  const body = call.request.body.json()
  const { n } = to === undefined ? body : applyTargetParams(body, to)
  return typeof n === 'number' ? n : 1
}
