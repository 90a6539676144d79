import { namesProvider } from '#calls/kept-call'
import { passedPlace } from '#calls/pass-through/pass-through'
import { type KeptCall, keptCall } from '#calls/slots'
import { isOwnBatchId, isOwnFileId } from '#core/own-ids'
import { type Call, definePlugin, type Stage, t } from '#kit'
import { passThrough } from '#kit/slots'
import { batchEndpoints, batchOutput, cancelBatch, createBatch } from './endpoints.ts'
import { OWN_ANSWERS } from './own-answers.ts'

/**
 * Batches: those that Weir runs, by their ids, and all of a call that names no provider; else those of its provider, where it has
 * any.
 */
export default definePlugin({
  name: 'batches',
  config: t.Object({}),
  needs: ['batches', 'files'],
  setup(_config, { batches, files }) {
    const stage: Stage = {
      name: 'batches',
      endpoints: batchEndpoints.map(({ id }) => id),
      run(call, next) {
        const answer: KeptCall['answer'] = () => ownAnswer(call)(call, { batches, files })
        if (isOwnBatchId(call.request.params.batch_id) || !namesProvider(call)) return answer()
        // What Weir runs goes on to its target all the same: a provider or a config that cannot be is told of now.
        call.set(keptCall, isManaged(call) ? { answer } : { needs: ['files', 'batches'], answer })
        call.set(passThrough, passedPlace(call, placeOf(call)))
        return next()
      },
    }
    return { stages: [stage] }
  },
})

const ownAnswer = ({ endpoint: { id } }: Call) => {
  const found = OWN_ANSWERS.get(id)
  if (found === undefined) throw new Error(`nobody answers '${id}' here`)
  return found
}

/** Only Weir can run it, whatever its provider does. */
const isManaged = ({ endpoint, params }: Call): boolean =>
  endpoint.id === createBatch.id &&
  (params.completion_window === 'immediate' ||
    isOwnFileId(params.input_file_id) ||
    (params.gateway_options !== undefined && params.gateway_options !== null))

const placeOf = ({ endpoint, request: { params } }: Call): string => {
  const id = params.batch_id === undefined ? '' : `/${encodeURIComponent(params.batch_id)}`
  const rest = endpoint.id === cancelBatch.id ? '/cancel' : endpoint.id === batchOutput.id ? '/output' : ''
  return `/batches${id}${rest}`
}
