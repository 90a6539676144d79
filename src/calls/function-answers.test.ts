import { describe, expect, test } from 'bun:test'
import type { ChatCompletion, ChatCompletionChunk, ChunkChoice } from '../kit/provider/openai.ts'
import type { Adapter, AdapterContext, StreamMachine } from '../kit/provider/provider.ts'
import { accumulate } from './accumulate.ts'
import { answeringWithFunctions } from './function-answers.ts'

const context: AdapterContext = {
  model: 'm',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'c',
  created: 0,
  settings: {},
}
const base = { id: 'i', created: 0, model: 'm' }
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'f', arguments: '{"a":1}' } })

/** An adapter that answers with what it is given. */
const adapter = (reply: ChatCompletion, chunks: readonly ChatCompletionChunk[] = []): Adapter<'chat'> => ({
  method: 'POST',
  path: '/chat',
  wire: 'own',
  params: {},
  reply: () => ({ reply, usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }),
  stream: (): StreamMachine<ChatCompletionChunk> => ({
    push: () => chunks.slice(0, -1),
    end: () => chunks.slice(-1),
    usage: () => undefined,
    complete: () => true,
  }),
})

const replyOf = (message: object, finish_reason: string): ChatCompletion => ({
  ...base,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, logprobs: null, finish_reason }],
})

const chunkOf = (delta: ChunkChoice['delta'], finish_reason: string | null = null): ChatCompletionChunk => ({
  ...base,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})

describe('an answer in the older form', () => {
  test('has the first call, what belongs to it, and a finish reason of its own', () => {
    const extra_content = { anthropic: { blocks: [] } }
    const given = replyOf({ tool_calls: [{ ...call('1'), extra_content }, call('2')] }, 'tool_calls')
    const made = answeringWithFunctions(adapter(given)).reply?.({}, context, { model: 'm', messages: [] })
    expect(made).toEqual({
      reply: replyOf({ function_call: { name: 'f', arguments: '{"a":1}', extra_content } }, 'function_call'),
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
    })
  })

  test('without a call is the answer itself', () => {
    const given = replyOf({ content: 'Hi' }, 'stop')
    expect(answeringWithFunctions(adapter(given)).reply?.({}, context, { model: 'm', messages: [] }).reply).toEqual(
      given,
    )
  })

  test('adds up to the same when it is streamed', () => {
    const piece = (index: number, text: string) => ({ tool_calls: [{ index, function: { arguments: text } }] })
    const machine = answeringWithFunctions(
      adapter(replyOf({}, 'stop'), [
        chunkOf({ role: 'assistant', content: 'Hm.' }),
        chunkOf({ tool_calls: [{ index: 0, id: '1', type: 'function', function: { name: 'f', arguments: '' } }] }),
        chunkOf(piece(0, '{"a"')),
        chunkOf({ tool_calls: [{ index: 1, id: '2', type: 'function', function: { name: 'g', arguments: '' } }] }),
        chunkOf(piece(0, ':1}')),
        chunkOf(piece(1, '{}')),
        { ...chunkOf({}), choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
        chunkOf({}, 'tool_calls'),
      ]),
    ).stream?.(context)
    const chunks = [...(machine?.push({ event: 'message', data: '' }) ?? []), ...(machine?.end() ?? [])]
    expect(chunks).toHaveLength(6)
    expect(accumulate(chunks).choices[0]).toMatchObject({
      message: { content: 'Hm.', function_call: { name: 'f', arguments: '{"a":1}' } },
      finish_reason: 'function_call',
    })
    expect([machine?.usage(), machine?.complete()]).toEqual([undefined, true])
  })
})
