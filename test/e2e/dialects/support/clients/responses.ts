import OpenAI from 'openai'
import { type DialectClient, droppedOf, type Got, type Question, WEATHER } from './client.ts'

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming
type Item = OpenAI.Responses.ResponseInputItem

const itemsOf = ({ text, image, after }: Question): Item[] => [
  ...(after === undefined
    ? []
    : [
        ...itemsOf(after.question),
        ...(after.got.turn as Item[]),
        ...after.got.calls.map(
          ({ id }, place): Item => ({ type: 'function_call_output', call_id: id, output: after.results[place] ?? '' }),
        ),
      ]),
  {
    role: 'user',
    content: [
      { type: 'input_text', text },
      ...(image === undefined
        ? []
        : [{ type: 'input_image' as const, image_url: `data:image/png;base64,${image}`, detail: 'auto' as const }]),
    ],
  },
]

const systemOf = ({ system, after }: Question): string | undefined => after?.question.system ?? system

const paramsOf = (model: string, question: Question): Params => {
  const instructions = systemOf(question)
  return {
    model,
    input: itemsOf(question),
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(instructions === undefined ? {} : { instructions }),
    ...(question.tools === true ? { tools: [{ type: 'function', ...WEATHER, strict: false }] } : {}),
    ...(question.forced === true ? { tool_choice: 'required' } : {}),
    ...(question.schema === undefined
      ? {}
      : {
          text: { format: { type: 'json_schema', name: 'person', schema: question.schema as Record<string, unknown> } },
        }),
    ...(question.thinks === true ? { reasoning: { effort: 'low', summary: 'auto' } } : {}),
    ...(question.maxTokens === undefined ? {} : { max_output_tokens: question.maxTokens }),
    ...(question.temperature === undefined ? {} : { temperature: question.temperature }),
  }
}

export const responsesClient = (url: string, apiKey: string): DialectClient => ({
  async ask(provider, model, question, isStreamed) {
    let headers = new Headers()
    const client = new OpenAI({
      baseURL: `${url}/v1`,
      apiKey,
      maxRetries: 0,
      defaultHeaders: { 'x-gateway-provider': provider },
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        headers = response.headers
        return response
      },
    })
    const params = paramsOf(model, question)
    if (!isStreamed) return gotOf(await client.responses.create(params), droppedOf(headers))
    const stream = client.responses.stream({ ...params, stream: true })
    let next = 0
    let text = ''
    for await (const event of stream) {
      if (event.sequence_number !== next++) throw new Error(`event ${next - 1} has the number ${event.sequence_number}`)
      if (event.type === 'response.output_text.delta') text += event.delta
    }
    const whole = await stream.finalResponse()
    if (whole.output_text !== text) throw new Error('the pieces of the text are not the text')
    return gotOf(whole, droppedOf(headers))
  },
  errorOf: (thrown) =>
    thrown instanceof OpenAI.APIError
      ? { status: thrown.status, message: thrown.message, retryAfter: thrown.headers?.get('retry-after') ?? null }
      : undefined,
})

const gotOf = (response: OpenAI.Responses.Response, dropped: readonly string[]): Got => {
  const { output, usage, status, incomplete_details: details } = response
  const calls = output.flatMap((item) =>
    item.type === 'function_call' ? [{ id: item.call_id, name: item.name, args: JSON.parse(item.arguments) }] : [],
  )
  return {
    text: response.output_text,
    thinking: output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary.map(({ text }) => text) : []))
      .join(''),
    calls,
    finish:
      status === 'incomplete'
        ? details?.reason === 'content_filter'
          ? 'filter'
          : 'length'
        : calls.length > 0
          ? 'tools'
          : 'stop',
    usage: {
      input: usage?.input_tokens ?? 0,
      cached: usage?.input_tokens_details.cached_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
    },
    dropped,
    turn: output,
  }
}
