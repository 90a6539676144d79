import { wholeBody } from '#core/bodies/body'
import { type Answer, type Call, definePlugin, type Next, type Stage, t } from '#kit'
import { readOwnResponseId } from '#kit/provider'
import { responsesByChat } from './chat/by-chat.ts'
import { createResponse } from './create.ts'
import { filledInput } from './kept/ask.ts'
import { type Keeping, keepAnswer } from './kept/keeping.ts'
import { TELLS } from './kept/tell.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * OpenAI's Responses by way of chat, for providers that have none; and the responses that Weir keeps for those. Calls about
 * one that is kept are answered here, and a call that goes on from one gets its conversation.
 */
export default definePlugin({
  name: 'responses',
  config: t.Object({
    store: t.Boolean({
      default: true,
      description: 'Keep the responses of providers that keep none themselves, unless a call says `store: false`.',
    }),
    retentionDays: t.Integer({
      default: 30,
      minimum: 1,
      maximum: 3650,
      description: 'Days until a response that is kept is removed, counted from the last one that goes on from it.',
    }),
  }),
  needs: ['keptResponses'],
  setup({ store, retentionDays }, { keptResponses }) {
    const keeping: Keeping | undefined = store ? { responses: keptResponses, forMs: retentionDays * DAY_MS } : undefined

    const create = async (call: Call, next: Next): Promise<Answer> => {
      const { params } = call
      const bytes = wholeBody(call.request.body).bytes.length
      const filled = await filledInput(call, params, keeping?.responses)
      if (filled !== undefined) call.replaceParams({ ...params, input: filled.whole })
      const answer = await next()
      if (keeping === undefined || params.store === false) return answer
      const previousId = filled === undefined ? undefined : ownResponse(params.previous_response_id)
      keepAnswer(call, answer, { input: filled?.own ?? params.input, previousId, bytes }, keeping)
      return answer
    }

    const stage: Stage = {
      name: 'responses',
      endpoints: [createResponse.id, ...TELLS.keys()],
      run(call, next) {
        const tell = TELLS.get(call.endpoint.id)
        if (tell === undefined) return create(call, next)
        const id = ownResponse(call.request.params.response_id)
        return id === undefined ? next() : tell(call, id, keeping?.responses)
      },
    }
    return { stages: [stage], bridges: [responsesByChat({ keeps: keeping !== undefined })] }
  },
})

const ownResponse = (id: unknown): string | undefined => {
  const own = readOwnResponseId(id)
  return own?.item === undefined ? own?.responseId : undefined
}
