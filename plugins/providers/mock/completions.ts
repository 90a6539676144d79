import { defined } from '#kit'
import type { OpenAIUsage, TextCompletion } from '#kit/provider'
import { type ChatCall, isToolFault, MOCK_CREATED, type MockAnswer, makeAnswer } from './answer.ts'
import type { MockStream } from './chunks.ts'
import { MockRefusal } from './refusal.ts'
import { splitWords } from './text.ts'

/** The answers to a text completion: one for each prompt, each the answer to a chat that says the same. */
export interface MockTexts {
  readonly id: string
  readonly model: string
  readonly answers: readonly MockAnswer[]
}

/** @throws MockRefusal for a request that the mock cannot read. */
export const makeTexts = (call: ChatCall): MockTexts => {
  const { body, model, options } = call
  const { fault } = options
  if (fault !== undefined && isToolFault(fault)) {
    throw new MockRefusal(400, `The mock fault \`${fault}\` needs a chat call.`, 'mock.fault')
  }
  const answers = readPrompts(body.prompt).map((prompt) => {
    // A text completion has no tools to call.
    const speaker = model === 'mock-tools' ? 'mock' : model
    const answer = makeAnswer({ ...call, model: speaker, messages: [{ role: 'user', content: prompt }] })
    return body.echo === true ? { ...answer, content: [...splitWords(prompt), ...answer.content] } : answer
  })
  return { id: (answers[0]?.id ?? '').replace(/^chat/, ''), model, answers }
}

/** The answers as one reply. */
export const toTextReply = ({ id, model, answers }: MockTexts): TextCompletion => {
  const usage = usageOf(answers)
  return defined({
    id,
    object: 'text_completion',
    created: MOCK_CREATED,
    model,
    choices: answers
      .flatMap(({ choices, content, finish }) =>
        Array.from({ length: choices }, () => ({ text: content.join(''), logprobs: null, finish_reason: finish })),
      )
      .map((choice, index) => ({ ...choice, index })),
    usage,
  })
}

/** The answers as a stream. What the model thinks has no place in a text. */
export const textStream = ({ id, model, answers }: MockTexts): MockStream => {
  const usage = usageOf(answers)
  return {
    head: { id, object: 'text_completion', created: MOCK_CREATED, model },
    answers: answers.map((answer) => ({ ...answer, reasoning: [] })),
    toChoice: ({ index, delta, finish_reason }) => ({
      text: delta.content ?? '',
      index,
      logprobs: null,
      finish_reason,
    }),
    ...defined({ usage }),
  }
}

const readPrompts = (prompt: unknown): readonly string[] => {
  if (typeof prompt === 'string') return [prompt]
  if (isTokens(prompt)) return [prompt.join(' ')]
  if (!Array.isArray(prompt) || prompt.length === 0) {
    throw new MockRefusal(400, '`prompt` must be text, or a list that is not empty.', 'prompt')
  }
  return prompt.map((item: unknown, index) => {
    if (typeof item === 'string') return item
    if (isTokens(item)) return item.join(' ')
    throw new MockRefusal(400, 'Each prompt must be text, or a list of numbers.', `prompt[${index}]`)
  })
}

const isTokens = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')

/** Adds the usage of all answers up. */
const usageOf = (answers: readonly MockAnswer[]): OpenAIUsage | undefined => {
  const usages = answers.flatMap(({ usage }) => (usage === undefined ? [] : [usage]))
  if (usages.length === 0) return undefined
  const sum = (count: (usage: OpenAIUsage) => number): number =>
    usages.reduce((total, usage) => total + count(usage), 0)
  return {
    prompt_tokens: sum((usage) => usage.prompt_tokens),
    completion_tokens: sum((usage) => usage.completion_tokens),
    total_tokens: sum((usage) => usage.total_tokens),
    prompt_tokens_details: { cached_tokens: sum((usage) => usage.prompt_tokens_details?.cached_tokens ?? 0) },
  }
}
