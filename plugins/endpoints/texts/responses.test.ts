import { describe, expect, test } from 'bun:test'
import { dataOf, readStream, shown } from '../../../test/support/stream-texts.ts'
import { responseAnswers } from '../responses/answers.ts'
import { responseTexts } from './responses.ts'

const asked = (params: object): unknown => shown(responseTexts.asked(params as Readonly<Record<string, unknown>>))

describe('what a response is asked', () => {
  test('is a text, or the last turn of the items', () => {
    expect(asked({ input: 'hi', instructions: 'be kind' })).toEqual([['user', 'text', 'input', 'hi']])
    const input = [
      { role: 'user', content: 'hi' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello', annotations: [] }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'what is this?' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
          { type: 'input_file', file_data: 'AAAA', filename: 'a.pdf' },
        ],
      },
    ]
    expect(asked({ input })).toEqual([['user', 'text', 'input.2.content.0.text', 'what is this?']])
  })

  test('has the results of tools, and is not hidden by what stands behind it', () => {
    const input = [
      { role: 'user', content: 'how warm is it?' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Ask.' }], encrypted_content: 'AAAA' },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'g', input: 'x' },
      { type: 'function_call_output', call_id: 'a', output: 'sunny' },
      { type: 'custom_tool_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'warm' }] },
      {
        type: 'shell_call_output',
        call_id: 'c',
        output: [{ stdout: 'ok', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
      { role: 'developer', content: 'be brief' },
    ]
    const results = [
      ['tool', 'tool-result', 'input.4.output', 'sunny'],
      ['tool', 'tool-result', 'input.5.output.0.text', 'warm'],
      ['tool', 'tool-result', 'input.6.output.0.stdout', 'ok'],
    ]
    expect(asked({ input: input.slice(0, 7) })).toEqual(results)
    expect(asked({ input })).toEqual([...results, ['system', 'text', 'input.7.content', 'be brief']])
  })

  test('has what is filled into a kept prompt', () => {
    const variables = {
      city: 'Rome',
      note: { type: 'input_text', text: 'in spring' },
      map: { type: 'input_image', image_url: 'x' },
    }
    expect(asked({ prompt: { id: 'pmpt_1', variables } })).toEqual([
      ['user', 'text', 'prompt.variables.city', 'Rome'],
      ['user', 'text', 'prompt.variables.note.text', 'in spring'],
    ])
    expect(asked({ previous_response_id: 'resp_1' })).toEqual([])
  })
})

const OUTPUT = [
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'I think this over.' }],
    encrypted_content: 'AAAA',
  },
  {
    type: 'message',
    id: 'msg_1',
    status: 'completed',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: 'It is sunny today.',
        annotations: [
          { type: 'url_citation', url: 'https://a.example', title: 'Weather', start_index: 0, end_index: 2 },
        ],
        logprobs: [{ token: 'It', logprob: 0, bytes: [], top_logprobs: [] }],
      },
      { type: 'refusal', refusal: 'But I say no more.' },
    ],
  },
  { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{"city":"Rome"}', status: 'completed' },
  { type: 'custom_tool_call', id: 'ct_1', call_id: 'b', name: 'g', input: 'x = 1' },
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'Rome weather' } },
  { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA', revised_prompt: 'a sun' },
  { type: 'mcp_list_tools', id: 'ml_1', server_label: 's', tools: [{ name: 't', description: 'Does it.' }] },
  { type: 'mcp_call', id: 'mc_1', server_label: 's', name: 't', arguments: '{"q":1}', output: 'found' },
]
const ANSWER = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  instructions: 'be kind',
  output: OUTPUT,
  incomplete_details: null,
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
}

test('what a response answers is every text of its output', () => {
  const places = responseTexts.answered?.(ANSWER) ?? []
  expect(shown(places)).toEqual([
    ['assistant', 'reasoning', 'output.0.summary.0.text', 'I think this over.'],
    ['assistant', 'text', 'output.1.content.0.text', 'It is sunny today.'],
    ['assistant', 'text', 'output.1.content.0.annotations.0.title', 'Weather'],
    ['assistant', 'text', 'output.1.content.1.refusal', 'But I say no more.'],
    ['assistant', 'tool-arguments', 'output.2.arguments', '{"city":"Rome"}'],
    ['assistant', 'tool-arguments', 'output.3.input', 'x = 1'],
    ['assistant', 'tool-arguments', 'output.4.action.query', 'Rome weather'],
    ['assistant', 'tool-arguments', 'output.5.revised_prompt', 'a sun'],
    ['assistant', 'tool-arguments', 'output.7.arguments', '{"q":1}'],
    ['assistant', 'tool-result', 'output.7.output', 'found'],
  ])
  expect(places[1]?.tokens).toEqual(['output', 1, 'content', 0, 'logprobs'])
})

const EVENTS = [...(responseAnswers.read(ANSWER)?.chunks(true) ?? [])]

describe('a stream of a response', () => {
  const { tracks, ends, isEnded, events, withhold } = readStream(responseTexts, EVENTS)

  test('has the texts of its output under their places there, deltas and wholes alike', () => {
    const found = (responseTexts.answered?.(ANSWER) ?? []).map(({ path, text }) => [path.slice(1).join('.'), text])
    expect(tracks).toEqual(Object.fromEntries(found))
    expect([...ends].toSorted()).toEqual(Object.keys(tracks).toSorted())
    expect(isEnded).toBeTrue()
    const deltas = readStream(
      responseTexts,
      EVENTS.filter((event) => 'type' in event && String(event.type).endsWith('.delta')),
    )
    expect(deltas.tracks).toEqual({
      '0.summary.0.text': 'I think this over.',
      '1.content.0.text': 'It is sunny today.',
      '1.content.1.refusal': 'But I say no more.',
      '2.arguments': '{"city":"Rome"}',
      '3.input': 'x = 1',
    })
    expect(deltas.ends).toEqual([])
  })

  test('says which pieces are whole, and what spells one in tokens', () => {
    for (const event of events) {
      const isDelta = String(event?.fields.type).endsWith('.delta')
      for (const { isWhole } of event?.pieces ?? []) expect(isWhole === true).toBe(!isDelta)
    }
    const first = events.find((event) => event?.fields.type === 'response.output_text.delta')
    expect(first?.pieces[0]?.tokens).toEqual(['logprobs'])
  })

  test('ends a text with the event that says it as a whole', () => {
    const done = events.find((event) => event?.fields.type === 'response.output_text.done')
    expect(done?.ends).toEqual(['1.content.0.text'])
  })

  test('knows the texts of tools that the provider runs, and has one of its own for what it does not know', () => {
    const at = { output_index: 4, item_id: 'i' }
    const read = readStream(responseTexts, [
      { type: 'response.code_interpreter_call_code.delta', ...at, delta: 'x =' },
      { type: 'response.code_interpreter_call_code.delta', ...at, delta: ' 1' },
      { type: 'response.code_interpreter_call_code.done', ...at, code: 'x = 1' },
      { type: 'response.mcp_call_arguments.delta', ...at, delta: '{}' },
      { type: 'response.reasoning_text.delta', ...at, content_index: 2, delta: 'Hm' },
      { type: 'response.some_news.delta', ...at, delta: 'So ' },
      { type: 'response.some_news.delta', ...at, delta: 'it is.' },
      { type: 'response.some_news.done', ...at, news: 'So it is.' },
      { type: 'response.audio.delta', delta: 'AAAA' },
      { type: 'response.output_item.done', ...at, item: { type: 'message', id: 'i', content: [] } },
    ])
    expect(read.tracks).toEqual({
      '4.code': 'x = 1',
      '4.arguments': '{}',
      '4.content.2.text': 'Hm',
      '4.some_news': 'So it is.',
      'whole.7.0': 'So it is.',
    })
    expect(read.ends).toEqual(['4.code', 'whole.7.0', '4.arguments', '4.content.2.text', '4.some_news'])
  })

  test('has no texts in what says none', () => {
    const read = readStream(responseTexts, [
      { type: 'keepalive', sequence_number: 1 },
      { type: 'error', code: 'server_error', message: 'no' },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: '' },
      { type: 'response.web_search_call.searching', output_index: 0, item_id: 'i' },
      { type: 'response.image_generation_call.partial_image', output_index: 0, partial_image_b64: 'AAAA' },
    ])
    expect(read.events.map((event) => [event?.pieces, event?.ends])).toEqual(Array(5).fill([[], undefined]))
    expect(responseTexts.stream?.({})?.read({ event: 'message', data: '[DONE]' })).toBeUndefined()
  })

  test('that is withheld ends as incomplete, and says nothing again', () => {
    const at = (type: string): number => events.findIndex((event) => event?.fields.type === type)
    expect(withhold(-1)).toBe('')
    const index = at('response.output_text.delta')
    const text = withhold(index)
    expect(text).toStartWith('event: response.incomplete\ndata: {')
    expect(dataOf(text)).toEqual([
      {
        type: 'response.incomplete',
        sequence_number: Number(events[index]?.fields.sequence_number) + 1,
        response: {
          ...ANSWER,
          status: 'incomplete',
          usage: null,
          output: [],
          incomplete_details: { reason: 'content_filter' },
        },
      },
    ])
    expect(withhold(at('response.completed'))).toBe('')
  })
})

test('a soft refusal is a whole answer', () => {
  const said = responseTexts.say?.('Not today.', { id: 'resp_2', model: 'm', created: 5 }) ?? {}
  expect(responseAnswers.read(said)?.answer).toEqual(said)
  expect(said).toMatchObject({ id: 'resp_2', model: 'm', created_at: 5, status: 'completed' })
  expect(shown(responseTexts.answered?.(said))).toEqual([
    ['assistant', 'text', 'output.0.content.0.text', 'Not today.'],
  ])
})
