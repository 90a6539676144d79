import { defined } from '#kit'
import type { ChatCompletion } from '#kit/provider'
import { MOCK_CREATED, type MockAnswer } from './answer.ts'
import type { MockStream } from './chunks.ts'

/** The answer as one reply. */
export const toReply = (answer: MockAnswer): ChatCompletion => ({
  id: answer.id,
  object: 'chat.completion',
  created: MOCK_CREATED,
  model: answer.model,
  choices: Array.from({ length: answer.choices }, (_, index) => ({
    index,
    message: {
      role: 'assistant',
      content: answer.toolCalls.length > 0 ? null : answer.content.join(''),
      ...(answer.reasoning.length === 0 ? {} : { reasoning_content: answer.reasoning.join('') }),
      ...(answer.toolCalls.length === 0
        ? {}
        : {
            tool_calls: answer.toolCalls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: call.arguments.join('') },
            })),
          }),
      refusal: null,
    },
    logprobs: null,
    finish_reason: answer.finish,
  })),
  ...defined({ usage: answer.usage }),
})

/** The answer as a stream. */
export const chatStream = (answer: MockAnswer): MockStream => ({
  head: { id: answer.id, object: 'chat.completion.chunk', created: MOCK_CREATED, model: answer.model },
  answers: [answer],
  toChoice: (choice) => choice,
  ...defined({ usage: answer.usage }),
})
