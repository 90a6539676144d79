import type { EndpointTexts, TextPlace } from '#core/guardrails'
import { isRecord } from '#kit'
import { type ChoiceForm, ChoiceStream } from './streams/choice-stream.ts'
import { addWords, hasWords } from './words.ts'

const textChunks: ChoiceForm = {
  object: 'text_completion',
  field: 'text',
  finish: { text: '' },
  add: (found, text, path, { index, tracks }, tokens) => {
    if (typeof text !== 'string' || text === '') return
    const track = `${index}.text`
    found.add({ role: 'assistant', kind: 'text', path, text, tokens, track })
    tracks.take(found, track, 'text')
  },
}

/** Where the texts of completions stand. A prompt that comes as tokens is none that anybody here could read. */
export const completionTexts: EndpointTexts = {
  asked: ({ prompt, suffix }) => {
    const places: TextPlace[] = []
    addWords(places, prompt, ['prompt'], { role: 'user', kind: 'text' })
    addWords(places, suffix, ['suffix'], { role: 'user', kind: 'text' })
    return places
  },
  answered: ({ choices }) => {
    const places: TextPlace[] = []
    if (!Array.isArray(choices)) return places
    for (let index = 0; index < choices.length; index++) {
      const choice: unknown = choices[index]
      if (!isRecord(choice)) continue
      const tokens = isRecord(choice.logprobs) ? ['choices', index, 'logprobs'] : undefined
      for (const name of Object.keys(choice)) {
        const text = choice[name]
        const path = ['choices', index, name]
        if (name !== 'text') {
          if (hasWords(name)) addWords(places, text, path, { role: 'assistant', kind: 'text' })
        } else if (typeof text === 'string') places.push({ role: 'assistant', kind: 'text', path, text, tokens })
      }
    }
    return places
  },
  stream: () => new ChoiceStream(textChunks),
  say: (text, { id, model, created }) => ({
    id,
    object: 'text_completion',
    created,
    model,
    choices: [{ text, index: 0, logprobs: null, finish_reason: 'stop' }],
  }),
}
