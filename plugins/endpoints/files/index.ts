import { namesProvider } from '#calls/kept-call'
import { passedPlace } from '#calls/pass-through/pass-through'
import { type KeptCall, keptCall } from '#calls/slots'
import { isOwnFileId } from '#core/own-ids'
import { type Call, definePlugin, type Stage, t } from '#kit'
import { passThrough } from '#kit/slots'
import { createFile, fileEndpoints } from './endpoints.ts'
import { OWN_ANSWERS } from './own-answers.ts'

/**
 * Files: those of Weir's own by their ids, and all of a call that names no provider; else those of its provider, where it keeps
 * any.
 */
export default definePlugin({
  name: 'files',
  config: t.Object({}),
  needs: ['files'],
  setup(_config, { files }) {
    const stage: Stage = {
      name: 'files',
      endpoints: fileEndpoints.map(({ id }) => id),
      run(call, next) {
        const answer: KeptCall['answer'] = () => ownAnswer(call)(call, files)
        if (isOwnFileId(call.request.params.file_id) || !namesProvider(call)) return answer()
        const isInput = call.endpoint.id === createFile.id && call.params.purpose === 'batch'
        // The input of a batch belongs where the batch runs.
        call.set(
          keptCall,
          isInput ? { needs: ['files', 'batches'], inline: 'weir', answer } : { needs: ['files'], answer },
        )
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

const placeOf = ({ endpoint, request: { params } }: Call): string => {
  const id = params.file_id === undefined ? '' : `/${encodeURIComponent(params.file_id)}`
  return `/files${id}${endpoint.id === 'file-content' ? '/content' : ''}`
}
