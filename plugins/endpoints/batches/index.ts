import { namesProvider, workspaceOf } from '#calls/kept-call'
import { passedPlace } from '#calls/pass-through/pass-through'
import { type KeptCall, keptCall } from '#calls/slots'
import { isOwnBatchId, isOwnFileId } from '#core/own-ids'
import { type Call, defined, definePlugin, type Stage, t } from '#kit'
import type { OwnFiles } from '#kit/own-files'
import { ownFiles, passThrough } from '#kit/slots'
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
      async run(call, next) {
        const answer: KeptCall['answer'] = () => ownAnswer(call)(call, { batches, files })
        if (isOwnBatchId(call.request.params.batch_id) || !namesProvider(call)) return answer()
        // What Weir runs goes on to its target all the same: a provider or a config that cannot be is told of now.
        const isInline = !needsWeir(call) && (await hasInput(call, files))
        const needs = isInline || isManaged(call) ? undefined : (['files', 'batches'] as const)
        call.set(keptCall, { ...defined({ needs }), inline: isInline ? 'provider' : undefined, answer })
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
const needsWeir = ({ params }: Call): boolean =>
  params.completion_window === 'immediate' || (params.gateway_options !== undefined && params.gateway_options !== null)

/** Weir runs it, but for a provider that takes the lines themselves. */
const isManaged = (call: Call): boolean =>
  call.endpoint.id === createBatch.id && (needsWeir(call) || isOwnFileId(call.params.input_file_id))

/** Hands over the input of a new batch, where Weir has it: what is wrong with one that it has not is told with the answer. */
const hasInput = async (call: Call, files: OwnFiles): Promise<boolean> => {
  const { endpoint, params } = call
  if (endpoint.id !== createBatch.id || !isOwnFileId(params.input_file_id)) return false
  const file = await files.find(workspaceOf(call), params.input_file_id)
  if (file?.purpose !== 'batch') return false
  call.set(ownFiles, new Map([[file.id, { ...file, open: () => files.open(file) }]]))
  return true
}

const placeOf = ({ endpoint, request: { params } }: Call): string => {
  const id = params.batch_id === undefined ? '' : `/${encodeURIComponent(params.batch_id)}`
  const rest = endpoint.id === cancelBatch.id ? '/cancel' : endpoint.id === batchOutput.id ? '/output' : ''
  return `/batches${id}${rest}`
}
