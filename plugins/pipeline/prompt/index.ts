import { readPromptInput } from '#calls/prompt/input'
import { becomePrompt, promptReference, renderForCall } from '#calls/prompt/run'
import { type Answer, definePlugin, type Route, type Stage, t } from '#kit'
import type { RenderedPrompt } from '#kit/slots'

const encoder = new TextEncoder()

/** Calls to stored prompts: rendered, they are calls like any other. */
export default definePlugin({
  name: 'prompt',
  config: t.Object({}),
  setup(_config, { prompts }) {
    const run: Stage = {
      name: 'prompt',
      async run(call, next) {
        becomePrompt(call, prompts, readPromptInput(call.request.body.json(), call.request.body.bytes.length))
        return next()
      },
    }
    /** Reaches no provider, so it ends the chain here. */
    const render: Stage = {
      name: 'prompt',
      async run(call) {
        const input = readPromptInput(call.request.body.json(), call.request.body.bytes.length)
        return toAnswer(renderForCall(call, prompts, promptReference(call), input))
      },
    }
    const routes = ['/v1', '/v2'].flatMap((version): readonly Route[] => [
      { method: 'POST', path: `${version}/prompts/:promptId/completions`, endpoint: 'chat', stages: [run] },
      { method: 'POST', path: `${version}/prompts/:promptId/render`, endpoint: 'render', stages: [render] },
    ])
    return { routes }
  },
})

const toAnswer = ({ params }: RenderedPrompt): Answer => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: encoder.encode(JSON.stringify({ success: true, data: params })),
})
