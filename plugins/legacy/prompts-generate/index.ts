import { LEGACY_SINCE } from '#calls/legacy-route'
import { readPromptInput } from '#calls/prompt/input'
import { becomePrompt } from '#calls/prompt/run'
import { wholeBody } from '#core/bodies/body'
import { collect, definePlugin, isReadyStream, type Stage, t } from '#kit'
import { legacyCall } from '#kit/slots'

/** Largest answer, in bytes, that is wrapped: as large as `transform` lets one be. */
const MAX_ANSWER_BYTES = 50 * 1024 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** `POST /v1/prompts/ID/generate`, for applications of 2023: variables only, and the answer inside `{success, data}`. */
export default definePlugin({
  name: 'legacy-prompts-generate',
  config: t.Object({}),
  needs: ['endpoints', 'prompts'],
  setup(_config, { prompts, endpoints }) {
    const stage: Stage = {
      name: 'prompt',
      async run(call, next) {
        const { variables } = wholeBody(call.request.body).json()
        call.set(legacyCall, {})
        becomePrompt(
          call,
          { prompts, endpoints },
          readPromptInput({ variables }, wholeBody(call.request.body).bytes.length),
        )
        const answer = await next()
        const { body } = answer
        const bytes = isReadyStream(body) ? await collect(body, MAX_ANSWER_BYTES) : body
        answer.body = encoder.encode(`{"success":true,"data":${decoder.decode(bytes)}}`)
        return answer
      },
    }
    return {
      routes: [
        {
          method: 'POST',
          path: '/v1/prompts/:promptId/generate',
          endpoint: 'chat',
          stages: [stage],
          deprecated: { since: LEGACY_SINCE, successor: '/v1/prompts/:promptId/completions' },
        },
      ],
    }
  },
})
