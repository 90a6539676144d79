import type { Plan } from '../../../../plugins/providers/mock/plan.ts'

/** One event of an answer in the reference's form. */
export const delta = (content: string): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`

/** The end of a whole answer: finish reason, usage, terminator. */
export const ENDING: readonly string[] = [
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })}\n\n`,
  'data: [DONE]\n\n',
]

/** A stream whose pieces the test makes, when it wants to. */
export const streamPlan = (pieces: Plan['pieces'], ending: Plan['ending'] = 'end'): Plan => ({
  head: { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
  pieces,
  ending,
})

/** A promise that the test keeps itself. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

export const gate = (): Gate => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
