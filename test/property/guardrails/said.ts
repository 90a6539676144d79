import fc from 'fast-check'

/** A text that somebody says: each body below has one at every place where there can be words, and nowhere else. */
const said = fc
  .tuple(fc.nat(), fc.string({ unit: 'grapheme', maxLength: 20 }))
  .map(([number, text]) => `said-${number} ${text}`)

const some = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 1, maxLength: 3 })

/** An object in which a field may be absent. */
const optional = <Fields extends Record<string, fc.Arbitrary<unknown>>>(fields: Fields) =>
  fc.record(fields, { requiredKeys: [] })

const json = said.map((text) => ({ query: text, count: 3, deep: [{ of: text }] }))
const jsonText = json.map((value) => JSON.stringify(value))

const picture = fc.constant({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } })
const textPart = said.map((text) => ({ type: 'text', text }))

const toolCall = fc.record({
  id: fc.constant('call_1'),
  type: fc.constant('function'),
  function: fc.record({ name: fc.constant('f'), arguments: jsonText }),
})

const anthropicText = fc.record({
  type: fc.constant('text'),
  text: said,
  citations: fc.oneof(
    fc.constant(null),
    some(said.map((text) => ({ type: 'char_location', cited_text: text, document_title: text, document_index: 0 }))),
  ),
})
const anthropicAnswer = fc.oneof(
  anthropicText,
  said.map((thinking) => ({ type: 'thinking', thinking, signature: 'AAAA' })),
  fc.constant({ type: 'redacted_thinking', data: 'AAAA' }),
  json.map((input) => ({ type: 'tool_use', id: 't', name: 'f', input })),
  said.map((title) => ({
    type: 'web_search_tool_result',
    tool_use_id: 't',
    content: [{ type: 'web_search_result', title, url: 'https://a.example', encrypted_content: 'AAAA' }],
  })),
)
const anthropicQuestion = fc.oneof(
  textPart,
  said.map((text) => ({ type: 'tool_result', tool_use_id: 't', content: text })),
  some(textPart).map((content) => ({ type: 'tool_result', tool_use_id: 't', content })),
  said.map((data) => ({ type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: data })),
  fc.constant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }),
)

const item = fc.oneof(
  said.map((text) => ({
    type: 'reasoning',
    id: 'rs',
    summary: [{ type: 'summary_text', text }],
    encrypted_content: 'AAAA',
  })),
  fc.tuple(said, said).map(([text, title]) => ({
    type: 'message',
    id: 'msg',
    role: 'assistant',
    status: 'completed',
    content: [
      {
        type: 'output_text',
        text,
        annotations: [{ type: 'url_citation', url: 'https://a.example', title }],
        logprobs: [],
      },
      { type: 'refusal', refusal: title },
    ],
  })),
  jsonText.map((text) => ({ type: 'function_call', id: 'fc', call_id: 'c', name: 'f', arguments: text })),
  said.map((input) => ({ type: 'custom_tool_call', id: 'ct', call_id: 'c', name: 'f', input })),
  said.map((query) => ({ type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query } })),
)
const result = fc.oneof(
  said.map((output) => ({ type: 'function_call_output', call_id: 'c', output })),
  said.map((text) => ({ type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_text', text }] })),
)
const inputMessage = fc
  .oneof(
    said,
    some(
      fc.oneof(
        said.map((text) => ({ type: 'input_text', text })),
        fc.constant({ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }),
      ),
    ),
  )
  .map((content) => ({ role: 'user', content }))

const googlePart = fc.oneof(
  said.map((text) => ({ text })),
  said.map((text) => ({ text, thought: true })),
  json.map((args) => ({ functionCall: { name: 'f', args }, thoughtSignature: 'AAAA' })),
  fc.constant({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }),
)
const googleResponse = json.map((response) => ({ functionResponse: { name: 'f', response } }))

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

/** Requests and whole answers of each endpoint with texts. */
export const SAID = {
  chat: {
    asked: fc.tuple(fc.array(said), fc.oneof(said, some(fc.oneof(textPart, picture)))).map(([results, content]) => ({
      messages: [
        ...results.map((text) => ({ role: 'tool', tool_call_id: 'c', content: text })),
        { role: 'user', content },
      ],
    })),
    answered: some(
      fc.tuple(
        fc.record({ role: fc.constant('assistant'), content: fc.oneof(said, fc.constant(null)) }),
        optional({
          refusal: said,
          reasoning: said,
          reasoning_content: said,
          tool_calls: some(toolCall),
          content_blocks: some(anthropicAnswer),
          annotations: some(
            said.map((title) => ({ type: 'url_citation', url_citation: { title, url: 'https://a.example' } })),
          ),
        }),
      ),
    ).map((messages) => ({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: messages.map(([message, more], index) => ({
        index,
        message: { ...message, ...more },
        logprobs: null,
        finish_reason: 'stop',
      })),
      usage: USAGE,
    })),
  },
  completions: {
    asked: fc.record({ prompt: fc.oneof(said, some(said)), suffix: said }),
    answered: some(said).map((texts) => ({
      id: 'c',
      object: 'text_completion',
      created: 1,
      model: 'm',
      choices: texts.map((text, index) => ({ index, text, logprobs: null, finish_reason: 'stop' })),
      usage: USAGE,
    })),
  },
  embeddings: { asked: fc.oneof(said, some(said), some(textPart)).map((input) => ({ model: 'm', input })) },
  messages: {
    asked: fc.oneof(said, some(anthropicQuestion)).map((content) => ({ messages: [{ role: 'user', content }] })),
    answered: some(anthropicAnswer).map((content) => ({
      id: 'msg',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content,
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    })),
  },
  responses: {
    asked: fc
      .oneof(
        said,
        some(result),
        fc.tuple(fc.array(result), inputMessage).map(([results, last]) => [...results, last]),
      )
      .map((input) => ({ model: 'm', input })),
    answered: some(item).map((output) => ({
      id: 'resp',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'm',
      output,
    })),
  },
  gemini: {
    asked: fc
      .tuple(fc.array(googleResponse), some(googlePart))
      .map(([results, parts]) => ({ contents: [{ parts: results }, { role: 'user', parts }] })),
    answered: some(fc.tuple(some(googlePart), said)).map((candidates) => ({
      candidates: candidates.map(([parts, text], index) => ({
        content: { role: 'model', parts },
        finishReason: 'STOP',
        index,
        groundingMetadata: { webSearchQueries: [text], groundingSupports: [{ segment: { text, startIndex: 0 } }] },
      })),
      usageMetadata: {},
    })),
  },
  'gemini-embed': { asked: some(said).map((texts) => ({ content: { parts: texts.map((text) => ({ text })) } })) },
  'gemini-batch-embed': {
    asked: some(said).map((texts) => ({ requests: texts.map((text) => ({ content: { parts: [{ text }] } })) })),
  },
} as const satisfies Record<string, { asked: fc.Arbitrary<object>; answered?: fc.Arbitrary<object> }>

/** Everything that is said in a body. */
export const saidIn = (body: unknown): readonly string[] =>
  [...JSON.stringify(body).matchAll(/said-\d+/g)].map(([text]) => text)
