import Anthropic from '@anthropic-ai/sdk'
import { type DialectClient, droppedOf, type Got, type Question, WEATHER } from './client.ts'

type Params = Anthropic.MessageCreateParamsNonStreaming

const FINISH = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tools',
  refusal: 'filter',
} as const

const messagesOf = ({ text, image, after }: Question): Params['messages'] => {
  const results =
    after?.got.calls.map(({ id }, place) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: [{ type: 'text' as const, text: after.results[place] ?? '' }],
    })) ?? []
  return [
    ...(after === undefined
      ? []
      : [
          ...messagesOf(after.question),
          { role: 'assistant' as const, content: after.got.turn as Anthropic.ContentBlock[] },
        ]),
    {
      role: 'user',
      content: [
        ...results,
        { type: 'text', text },
        ...(image === undefined
          ? []
          : [
              {
                type: 'image' as const,
                source: { type: 'base64' as const, media_type: 'image/png' as const, data: image },
              },
            ]),
      ],
    },
  ]
}

const paramsOf = (model: string, question: Question): Params => {
  const system = question.after?.question.system ?? question.system
  return {
    model,
    max_tokens: question.maxTokens ?? 4096,
    messages: messagesOf(question),
    ...(system === undefined ? {} : { system }),
    ...(question.tools === true
      ? {
          tools: [
            {
              name: WEATHER.name,
              description: WEATHER.description,
              input_schema: WEATHER.parameters as unknown as Anthropic.Tool.InputSchema,
            },
          ],
        }
      : {}),
    ...(question.forced === true ? { tool_choice: { type: 'any' } } : {}),
    ...(question.schema === undefined
      ? {}
      : { output_config: { format: { type: 'json_schema', schema: question.schema as Record<string, unknown> } } }),
    ...(question.thinks === true ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {}),
    ...(question.stop === undefined ? {} : { stop_sequences: [question.stop] }),
    ...(question.temperature === undefined ? {} : { temperature: question.temperature }),
  }
}

export const messagesClient = (url: string, apiKey: string): DialectClient => ({
  async ask(provider, model, question, isStreamed) {
    const client = new Anthropic({
      baseURL: url,
      apiKey,
      maxRetries: 0,
      defaultHeaders: { 'x-gateway-provider': provider },
    })
    const params = paramsOf(model, question)
    if (!isStreamed) {
      const { data, response } = await client.messages.create(params).withResponse()
      return gotOf(data, droppedOf(response.headers))
    }
    const stream = client.messages.stream(params)
    const { response } = await stream.withResponse()
    return gotOf(await stream.finalMessage(), droppedOf(response.headers))
  },
  errorOf: (thrown) =>
    thrown instanceof Anthropic.APIError
      ? { status: thrown.status, message: thrown.message, retryAfter: thrown.headers?.get('retry-after') ?? null }
      : undefined,
})

const gotOf = ({ content, stop_reason: reason, usage }: Anthropic.Message, dropped: readonly string[]): Got => {
  const texts = (type: 'text' | 'thinking') =>
    content.flatMap((block) =>
      block.type === type ? [block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : ''] : [],
    )
  if (reason === null || !(reason in FINISH)) throw new Error(`the message ends with ${reason}`)
  const cached = usage.cache_read_input_tokens ?? 0
  return {
    text: texts('text').join(''),
    thinking: texts('thinking').join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: block.input }] : [],
    ),
    finish: FINISH[reason as keyof typeof FINISH],
    usage: {
      input: usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
      cached,
      output: usage.output_tokens,
    },
    dropped,
    turn: content,
  }
}
