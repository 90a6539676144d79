import { readPromptInput } from '#calls/prompt/input'
import { becomePrompt, renderForCall } from '#calls/prompt/run'
import { wholeBody } from '#core/bodies/body'
import { type Answer, defineEndpoint, definePlugin, type Route, type Stage, t } from '#kit'
import type { RenderedPrompt } from '#kit/slots'

/** A prompt that is only filled in. */
const promptRender = defineEndpoint({
  id: 'render',
  scopes: ['prompts.render'],
  requestTypes: ['render'],
  operation: 'render',
  body: { kind: 'json', schema: t.Object({ variables: t.Object({}) }), check: () => undefined },
  answer: { kind: 'json', schema: t.Object({ success: t.Literal(true), data: t.Object({}) }) },
})

const encoder = new TextEncoder()

/** Calls to stored prompts: rendered, they are calls like any other. */
export default definePlugin({
  name: 'prompt',
  config: t.Object({}),
  needs: ['endpoints', 'prompts'],
  setup(_config, { prompts, endpoints }) {
    const run: Stage = {
      name: 'prompt',
      async run(call, next) {
        becomePrompt(
          call,
          { prompts, endpoints },
          readPromptInput(wholeBody(call.request.body).json(), wholeBody(call.request.body).bytes.length),
        )
        return next()
      },
    }
    /** Reaches no provider, so it ends the chain here. */
    const render: Stage = {
      name: 'prompt',
      async run(call) {
        const input = readPromptInput(wholeBody(call.request.body).json(), wholeBody(call.request.body).bytes.length)
        return toAnswer(renderForCall(call, prompts, input))
      },
    }
    const routes = ['/v1', '/v2'].flatMap((version): readonly Route[] => [
      { method: 'POST', path: `${version}/prompts/:promptId/completions`, endpoint: 'chat', stages: [run] },
      { method: 'POST', path: `${version}/prompts/:promptId/render`, endpoint: 'render', stages: [render] },
    ])
    return { routes, endpoints: [promptRender] }
  },
})

const toAnswer = ({ params }: RenderedPrompt): Answer => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: encoder.encode(JSON.stringify({ success: true, data: params })),
})
