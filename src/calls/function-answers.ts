import { defined } from '../core/defined.ts'
import { asksForFunctions } from '../kit/provider/chat-forms.ts'
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatRequest,
  Choice,
  ChunkChoice,
  ToolCallDelta,
} from '../kit/provider/openai.ts'
import type { Adapter, EndpointName, RequestOf } from '../kit/provider/provider.ts'

/** The adapter for the client of a request: one that asks for functions in the older form understands only calls in it. */
export const answeringClient = <E extends EndpointName>(adapter: Adapter<E>, request: RequestOf<E>): Adapter<E> =>
  adapter.wire === 'own' && 'messages' in request && asksForFunctions(request as unknown as ChatRequest)
    ? (answeringWithFunctions(adapter as unknown as Adapter<'chat'>) as unknown as Adapter<E>)
    : adapter

/**
 * An adapter whose answers are in the older form: `function_call` in place of `tool_calls`. It has room for one call; others are
 * left out. Signatures that belong to the call stay with it, so that a client that sends it back brings them along.
 */
export const answeringWithFunctions = (adapter: Adapter<'chat'>): Adapter<'chat'> => {
  const { reply: toReply, stream: createStream } = adapter
  return {
    ...adapter,
    ...(toReply === undefined
      ? {}
      : {
          reply: (body, context, request) => {
            const { reply, ...rest } = toReply(body, context, request)
            return { ...rest, reply: withFunctionCall(reply) }
          },
        }),
    ...(createStream === undefined
      ? {}
      : {
          stream: (context) => {
            const machine = createStream(context)
            return {
              push: (event) => machine.push(event).flatMap(asFunctionChunk),
              end: () => machine.end().flatMap(asFunctionChunk),
              usage: () => machine.usage(),
              complete: () => machine.complete(),
            }
          },
        }),
  }
}

const withFunctionCall = (reply: ChatCompletion): ChatCompletion => ({ ...reply, choices: reply.choices.map(asChoice) })

const asChoice = (choice: Choice): Choice => {
  const { tool_calls: [call] = [], ...message } = choice.message
  if (call === undefined) return choice
  return {
    ...choice,
    message: { ...message, function_call: asCall(call) },
    finish_reason: reason(choice.finish_reason),
  }
}

/** Nothing for a chunk that only held a piece of another call. */
const asFunctionChunk = (chunk: ChatCompletionChunk): readonly ChatCompletionChunk[] => {
  const choices = chunk.choices.flatMap(asChunkChoice)
  return choices.length === 0 && chunk.choices.length > 0 ? [] : [{ ...chunk, choices }]
}

const asChunkChoice = (choice: ChunkChoice): readonly ChunkChoice[] => {
  const { tool_calls: calls, ...delta } = choice.delta
  const made = { ...choice, finish_reason: reason(choice.finish_reason) }
  if (calls === undefined) return [made]
  const call = calls.find(({ index }) => index === 0)
  if (call !== undefined) return [{ ...made, delta: { ...delta, function_call: asCall(call) } }]
  return Object.keys(delta).length === 0 && choice.finish_reason === null ? [] : [{ ...made, delta }]
}

const asCall = ({
  function: called,
  extra_content: extra,
}: Pick<ToolCallDelta, 'function'> & { readonly extra_content?: unknown }): object => ({
  ...called,
  ...defined({ extra_content: extra }),
})

const reason = (word: ChunkChoice['finish_reason']): ChunkChoice['finish_reason'] =>
  word === 'tool_calls' ? 'function_call' : word
