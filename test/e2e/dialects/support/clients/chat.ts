import OpenAI from 'openai'
import { type DialectClient, droppedOf, type Got, type Question, WEATHER } from './client.ts'

type Params = OpenAI.ChatCompletionCreateParamsNonStreaming
type Message = OpenAI.ChatCompletionMessage & { readonly reasoning_content?: string }

const FINISH = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tools',
  function_call: 'tools',
  content_filter: 'filter',
} as const

const messagesOf = ({ system, text, image, after }: Question): Params['messages'] => [
  ...(after === undefined
    ? system === undefined
      ? []
      : [{ role: 'system' as const, content: system }]
    : [
        ...messagesOf(after.question),
        after.got.turn as Params['messages'][number],
        ...after.got.calls.map(({ id }, place) => ({
          role: 'tool' as const,
          tool_call_id: id,
          content: after.results[place] ?? '',
        })),
      ]),
  {
    role: 'user',
    content:
      image === undefined
        ? text
        : [
            { type: 'text', text },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
          ],
  },
]

const paramsOf = (model: string, question: Question): Params => ({
  model,
  messages: messagesOf(question),
  ...(question.tools === true ? { tools: [{ type: 'function', function: WEATHER }] } : {}),
  ...(question.forced === true ? { tool_choice: 'required' } : {}),
  ...(question.schema === undefined
    ? {}
    : {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'person', schema: question.schema as Record<string, unknown> },
        },
      }),
  ...(question.thinks === true ? { reasoning_effort: 'low' } : {}),
  ...(question.stop === undefined ? {} : { stop: [question.stop] }),
  ...(question.maxTokens === undefined ? {} : { max_completion_tokens: question.maxTokens }),
  ...(question.temperature === undefined ? {} : { temperature: question.temperature }),
})

export const chatClient = (url: string, apiKey: string): DialectClient => ({
  async ask(provider, model, question, isStreamed) {
    const client = new OpenAI({
      baseURL: `${url}/v1`,
      apiKey,
      maxRetries: 0,
      defaultHeaders: { 'x-gateway-provider': provider },
    })
    const params = paramsOf(model, question)
    if (!isStreamed) {
      const { data, response } = await client.chat.completions.create(params).withResponse()
      return gotOf(data, droppedOf(response.headers))
    }
    let headers = new Headers()
    const asked = client.withOptions({
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        headers = response.headers
        return response
      },
    })
    const stream = asked.chat.completions.stream({ ...params, stream: true, stream_options: { include_usage: true } })
    let thinking = ''
    for await (const { choices } of stream) {
      const delta: object = choices[0]?.delta ?? {}
      if ('reasoning_content' in delta) thinking += String(delta.reasoning_content)
    }
    const whole = await stream.finalChatCompletion()
    const [choice] = whole.choices
    const message: Message | undefined = choice && {
      ...choice.message,
      ...(thinking === '' ? {} : { reasoning_content: thinking }),
    }
    return gotOf({ ...whole, choices: choice && message ? [{ ...choice, message }] : [] }, droppedOf(headers))
  },
  errorOf: (thrown) =>
    thrown instanceof OpenAI.APIError
      ? { status: thrown.status, message: thrown.message, retryAfter: thrown.headers?.get('retry-after') ?? null }
      : undefined,
})

const gotOf = ({ choices, usage }: OpenAI.ChatCompletion, dropped: readonly string[]): Got => {
  const [choice] = choices
  if (choice === undefined) throw new Error('the answer has no choice')
  const message: Message = choice.message
  return {
    text: message.content ?? '',
    thinking: message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) }]
        : [],
    ),
    finish: FINISH[choice.finish_reason],
    usage: {
      input: usage?.prompt_tokens ?? 0,
      cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      output: usage?.completion_tokens ?? 0,
    },
    dropped,
    turn: message,
  }
}
