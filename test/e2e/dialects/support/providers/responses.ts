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

const usage = {
  input_tokens: USAGE.input,
  input_tokens_details: { cached_tokens: USAGE.cached },
  output_tokens: USAGE.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: USAGE.input + USAGE.output,
}

const itemsOf = (scene: Scene): readonly Fields[] => [
  ...(scene.thinking === undefined
    ? []
    : [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: scene.thinking.text }],
          encrypted_content: scene.thinking.signature,
        },
      ]),
  ...(scene.text === undefined
    ? []
    : [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: wholeText(scene), annotations: [], logprobs: [] }],
        },
      ]),
  ...(scene.calls ?? []).map(({ id, name, pieces }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: pieces.join(''),
    status: 'completed',
  })),
]

const REASONS = { length: 'max_output_tokens', filter: 'content_filter' } as const

const response = (scene: Scene, output: readonly Fields[], isDone: boolean): Fields => {
  const { finish } = scene
  const reason = finish === 'length' || finish === 'filter' ? REASONS[finish] : undefined
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_767_225_600,
    status: isDone ? (reason === undefined ? 'completed' : 'incomplete') : 'in_progress',
    background: false,
    error: null,
    incomplete_details: isDone && reason !== undefined ? { reason } : null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: 'model-1',
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: isDone ? usage : null,
  }
}

/** Nothing of it is there before its pieces come. */
const begun = (item: Fields): Fields => ({
  ...item,
  status: 'in_progress',
  ...(item.type === 'message' ? { content: [] } : {}),
  ...(item.type === 'reasoning' ? { summary: [] } : {}),
  ...(item.type === 'function_call' ? { arguments: '' } : {}),
})

/** OpenAI's Responses. */
export const responsesForm = (prefix: string): ProviderForm => ({
  path: new RegExp(`^/${prefix}/responses$`),
  asksForStream: (_path, body) => body.stream === true,
  read(body) {
    const items: readonly Fields[] =
      typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : listOf(body.input)
    const of = (type: string) => items.filter((item) => item.type === type)
    const said = items.filter(({ role, type }) => role !== undefined && (type ?? 'message') === 'message')
    const from = (...roles: readonly string[]) => said.filter((item) => roles.includes(textAt(item, 'role')))
    const contents = (...roles: readonly string[]) => from(...roles).flatMap(({ content }) => textsOf(content))
    return {
      system: [...stringsAt(body, 'instructions'), ...contents('system', 'developer')].join('\n'),
      texts: contents('user'),
      images: from('user').flatMap(({ content }) => listOf(content).filter(({ type }) => type === 'input_image'))
        .length,
      tools: listOf(body.tools).map((tool) => textAt(tool, 'name')),
      forced: body.tool_choice === 'required' || at(body, 'tool_choice.type') === 'function',
      calls: of('function_call').map((call) => ({
        name: textAt(call, 'name'),
        args: JSON.parse(textAt(call, 'arguments')),
      })),
      results: of('function_call_output').flatMap(({ output }) => textsOf(output)),
      maxTokens: numberAt(body, 'max_output_tokens'),
      temperature: numberAt(body, 'temperature'),
      stop: [],
      schema: at(body, 'text.format.schema'),
      thinks: (at(body, 'reasoning.effort') ?? 'none') !== 'none',
      carried: of('reasoning').some((item) => textAt(item, 'encrypted_content') !== ''),
    }
  },
  whole: (scene) => response(scene, itemsOf(scene), true),
  pieces(scene) {
    const events: string[] = []
    const send = (type: string, data: object): void => {
      events.push(event({ type, sequence_number: events.length, ...data }, type))
    }
    send('response.created', { response: response(scene, [], false) })
    send('response.in_progress', { response: response(scene, [], false) })
    const items = itemsOf(scene)
    for (const [output_index, item] of items.entries()) {
      const place = { item_id: item.id, output_index }
      send('response.output_item.added', { output_index, item: begun(item) })
      if (item.type === 'reasoning') {
        const text = scene.thinking?.text ?? ''
        send('response.reasoning_summary_part.added', {
          ...place,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        })
        send('response.reasoning_summary_text.delta', { ...place, summary_index: 0, delta: text })
        send('response.reasoning_summary_text.done', { ...place, summary_index: 0, text })
        send('response.reasoning_summary_part.done', {
          ...place,
          summary_index: 0,
          part: { type: 'summary_text', text },
        })
      }
      if (item.type === 'message') {
        const part = listOf(item.content)[0] ?? {}
        send('response.content_part.added', { ...place, content_index: 0, part: { ...part, text: '' } })
        for (const delta of scene.text ?? [])
          send('response.output_text.delta', { ...place, content_index: 0, delta, logprobs: [] })
        if (scene.breaks === 'cut') return events
        if (scene.breaks === 'error') {
          send('error', { code: 'server_error', message: 'overloaded', param: null })
          return events
        }
        send('response.output_text.done', { ...place, content_index: 0, text: part.text, logprobs: [] })
        send('response.content_part.done', { ...place, content_index: 0, part })
      }
      if (item.type === 'function_call') {
        const { pieces = [] } = (scene.calls ?? []).find(({ id }) => id === item.call_id) ?? {}
        for (const delta of pieces) send('response.function_call_arguments.delta', { ...place, delta })
        send('response.function_call_arguments.done', { ...place, name: item.name, arguments: item.arguments })
      }
      send('response.output_item.done', { output_index, item })
    }
    const last = response(scene, items, true)
    send(`response.${last.status}`, { response: last })
    return events
  },
  error: (status) => ({ error: { message: `refused with ${status}`, type: 'some_error', param: null, code: null } }),
})
