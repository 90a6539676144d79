import { expect } from 'bun:test'
import { ANSWER } from '../../../../support/fault-server/answers.ts'

/** A stream as its client understands it. */
export interface Seen {
  readonly content: string
  readonly finishReasons: readonly string[]
  readonly ids: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  readonly usage: readonly Record<string, unknown>[]
  /** Of the error that ended it. */
  readonly errorCode: string | null | undefined
  readonly done: number
}

interface Chunk {
  readonly id: string
  readonly model: string
  readonly choices: readonly { readonly delta: { readonly content?: string }; readonly finish_reason: string | null }[]
  readonly usage?: Record<string, unknown> | null
  readonly error?: { readonly code: string | null }
}

export const readStream = (text: string): Seen => {
  const data = text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => frame.slice('data: '.length))
  const chunks: Chunk[] = data.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line))
  const answers = chunks.filter(({ error }) => error === undefined)
  const choices = answers.flatMap((chunk) => chunk.choices)
  return {
    content: choices.map(({ delta }) => delta.content ?? '').join(''),
    finishReasons: choices.flatMap(({ finish_reason: reason }) => (reason === null ? [] : [reason])),
    ids: new Set(answers.map(({ id }) => id)),
    models: new Set(answers.map(({ model }) => model)),
    usage: answers.flatMap(({ usage }) => (usage === null || usage === undefined ? [] : [usage])),
    errorCode: chunks.at(-1)?.error?.code,
    done: data.filter((line) => line === '[DONE]').length,
  }
}

/** All of the answer, once, with its proper end. */
export const expectWhole = ({ text, status }: { readonly text: string; readonly status: number }, stream: boolean) => {
  expect(status).toBe(200)
  if (!stream) {
    expect(JSON.parse(text).choices[0]).toMatchObject({ message: { content: ANSWER }, finish_reason: 'stop' })
    return
  }
  const seen = readStream(text)
  expect([seen.content, seen.finishReasons, seen.done, seen.errorCode]).toEqual([ANSWER, ['stop'], 1, undefined])
  expect([seen.ids.size, seen.models.size]).toEqual([1, 1])
  expect(text.trimEnd()).toEndWith('data: [DONE]')
}

/** A beginning of the answer, then the error, and nothing that looks like a proper end. */
export const expectBroken = ({ text, status }: { readonly text: string; readonly status: number }) => {
  const seen = readStream(text)
  expect(status).toBe(200)
  expect(seen.content.length).toBeGreaterThan(0)
  expect(ANSWER).toStartWith(seen.content)
  expect([seen.finishReasons, seen.done]).toEqual([[], 0])
  expect(seen.errorCode).toBeDefined()
}
