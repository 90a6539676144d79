/**
 * Bodies of OpenAI's other routes, with what its clients read of them (types of the package `openai` 3.54.0 for Python, read
 * 2026-11-22).
 */

const PART = { type: 'output_text', text: 'Native answer', annotations: [] }
const MESSAGE = { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [PART] }

export const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_767_225_600,
  status: 'completed',
  model: 'gpt-5',
  output: [MESSAGE],
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage: {
    input_tokens: 3,
    output_tokens: 2,
    total_tokens: 5,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
}

const OF_PART = { item_id: 'msg_1', output_index: 0, content_index: 0 }

/** The same as a stream, each event as its text. */
export const RESPONSE_EVENTS: readonly string[] = [
  { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { ...MESSAGE, status: 'in_progress', content: [] } },
  { type: 'response.content_part.added', ...OF_PART, part: { ...PART, text: '' } },
  { type: 'response.output_text.delta', ...OF_PART, delta: PART.text, logprobs: [] },
  { type: 'response.output_text.done', ...OF_PART, text: PART.text, logprobs: [] },
  { type: 'response.content_part.done', ...OF_PART, part: PART },
  { type: 'response.output_item.done', output_index: 0, item: MESSAGE },
  { type: 'response.completed', response: RESPONSE },
].map((event, index) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`)

export const FILE = {
  id: 'file-1',
  object: 'file',
  bytes: 3,
  created_at: 1_767_225_600,
  filename: 'a.jsonl',
  purpose: 'batch',
  status: 'processed',
}
