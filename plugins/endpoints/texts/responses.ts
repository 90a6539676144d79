import type { EndpointTexts, TextPlace } from '#core/guardrails'
import { isRecord } from '#kit'
import { begunResponse } from '../responses/chat/response-object.ts'
import { lastTurn } from './last-turn.ts'
import { addItem, addOutput, roleOfItem } from './response-items.ts'
import { ResponsesStream } from './streams/responses-stream.ts'
import { addWords } from './words.ts'

/** Where the texts of responses stand. What earlier responses said is kept elsewhere, and was looked at then. */
export const responseTexts: EndpointTexts = {
  asked: ({ input, prompt }) => {
    const places: TextPlace[] = []
    if (isRecord(prompt)) addWords(places, prompt.variables, ['prompt', 'variables'], { role: 'user', kind: 'text' })
    if (typeof input === 'string') places.push({ role: 'user', kind: 'text', path: ['input'], text: input })
    else if (Array.isArray(input)) {
      for (let index = lastTurn(input, roleOfItem); index < input.length; index++)
        addItem(places, input[index], ['input', index], roleOfItem(input[index]))
    }
    return places
  },
  answered: ({ output }) => {
    const places: TextPlace[] = []
    addOutput(places, output, ['output'])
    return places
  },
  stream: () => new ResponsesStream(),
  say: (text, { id, model, created }) => ({
    ...begunResponse(id, {}, { model, created }),
    status: 'completed',
    output: [
      {
        id: `msg_${id}`,
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
      },
    ],
  }),
}
