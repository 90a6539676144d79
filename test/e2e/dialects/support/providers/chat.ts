import { type Scene, USAGE, wholeText } from '../scenes.ts'
import {
  at,
  event,
  type Fields,
  listOf,
  numberAt,
  type ProviderForm,
  stringsAt,
  textAt,
  textsOf,
} from './provider-form.ts'

const FINISH = { stop: 'stop', length: 'length', tools: 'tool_calls', filter: 'content_filter' } as const

const usage = {
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
  prompt_tokens_details: { cached_tokens: USAGE.cached },
}

const chunk = (delta: object, finish: string | null = null): string =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: 'model-1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })

/** OpenAI's chat; that of DeepSeek shows what the model thinks. */
export const chatForm = (prefix: string, showsThinking: boolean): ProviderForm => ({
  path: new RegExp(`^/${prefix}/chat/completions$`),
  asksForStream: (_path, body) => body.stream === true,
  read(body) {
    const messages = listOf(body.messages)
    const of = (...roles: readonly string[]) => messages.filter((message) => roles.includes(textAt(message, 'role')))
    const contents = (...roles: readonly string[]) => of(...roles).flatMap(({ content }) => textsOf(content))
    return {
      system: contents('system', 'developer').join('\n'),
      texts: contents('user'),
      images: of('user', 'tool').flatMap(({ content }) => listOf(content).filter(({ type }) => type === 'image_url'))
        .length,
      tools: listOf(body.tools).map((tool) => textAt(tool, 'function.name')),
      forced: body.tool_choice === 'required' || at(body, 'tool_choice.type') === 'function',
      calls: of('assistant').flatMap(({ tool_calls: calls }) =>
        listOf(calls).map((call) => ({
          name: textAt(call, 'function.name'),
          args: JSON.parse(textAt(call, 'function.arguments')),
        })),
      ),
      results: contents('tool'),
      maxTokens: numberAt(body, 'max_completion_tokens') ?? numberAt(body, 'max_tokens'),
      temperature: numberAt(body, 'temperature'),
      stop: stringsAt(body, 'stop'),
      schema: at(body, 'response_format.json_schema.schema'),
      thinks: (body.reasoning_effort ?? 'none') !== 'none' || at(body, 'thinking.type') === 'enabled',
      carried: messages.some((message) => textAt(message, 'reasoning_content') !== ''),
    }
  },
  whole: (scene) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_767_225_600,
    model: 'model-1',
    choices: [
      { index: 0, message: message(scene, showsThinking), logprobs: null, finish_reason: FINISH[scene.finish] },
    ],
    usage,
  }),
  pieces(scene) {
    const { thinking, text = [], calls = [], breaks, finish } = scene
    const said = text.map((content) => chunk({ content }))
    const begun = [
      chunk({ role: 'assistant', content: '' }),
      ...(thinking !== undefined && showsThinking ? [chunk({ reasoning_content: thinking.text })] : []),
      ...said,
    ]
    if (breaks === 'cut') return begun
    if (breaks === 'error')
      return [...begun, event({ error: { message: 'overloaded', type: 'server_error', code: null, param: null } })]
    const begin = calls.map(({ id, name }, index) =>
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    )
    // The pieces of parallel calls come in turn.
    const longest = Math.max(0, ...calls.map(({ pieces }) => pieces.length))
    const pieces = Array.from({ length: longest }, (_, place) =>
      calls.flatMap(({ pieces }, index) =>
        pieces[place] === undefined ? [] : [chunk({ tool_calls: [{ index, function: { arguments: pieces[place] } }] })],
      ),
    ).flat()
    const last = event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'model-1',
      choices: [],
      usage,
    })
    return [...begun, ...begin, ...pieces, chunk({}, FINISH[finish]), last, 'data: [DONE]\n\n']
  },
  error: (status) => ({ error: { message: `refused with ${status}`, type: 'some_error', param: null, code: null } }),
})

const message = (scene: Scene, showsThinking: boolean): Fields => ({
  role: 'assistant',
  content: scene.text === undefined ? null : wholeText(scene),
  ...(scene.thinking !== undefined && showsThinking ? { reasoning_content: scene.thinking.text } : {}),
  ...(scene.calls === undefined
    ? {}
    : {
        tool_calls: scene.calls.map(({ id, name, pieces }) => ({
          id,
          type: 'function',
          function: { name, arguments: pieces.join('') },
        })),
      }),
})
