import { useEffect, useRef, useState } from 'react'
import { type Failure, toFailure } from '../api/failure.ts'
import { type ChatAnswer, chat, type Target } from './chat.ts'
import type { Json, Message } from './messages.ts'

/** A model beside others, and how its part of the conversation goes. */
export interface Column {
  readonly id: number
  readonly target: Target
  readonly messages: readonly Message[]
  /** What came so far of an answer that is still coming. */
  readonly coming: string | undefined
  readonly last: ChatAnswer | undefined
  readonly failure: Failure | undefined
}

/** What goes along with each question. */
export interface Asking {
  readonly key: string
  readonly system: string
  readonly parameters: Json
}

export const newColumn = (id: number, target: Target, messages: readonly Message[] = []): Column => ({
  ...{ id, target, messages },
  ...{ coming: undefined, last: undefined, failure: undefined },
})

const MOCK: Target = { model: 'mock', config: '' }

/** Columns of a conversation, and what can be done with them. */
export const useColumns = (first: Column) => {
  const [columns, setColumns] = useState<readonly Column[]>([first])
  const running = useRef(new AbortController())
  // Nobody reads an answer to a page that is left.
  useEffect(() => () => running.current.abort(), [])

  const change = (id: number, part: Partial<Column>): void =>
    setColumns((before) => before.map((column) => (column.id === id ? { ...column, ...part } : column)))

  const ask = async (column: Column, more: readonly Message[], { key, system, parameters }: Asking): Promise<void> => {
    const messages: readonly Message[] = [...column.messages, ...more]
    change(column.id, { messages, coming: '', last: undefined, failure: undefined })
    try {
      const last = await chat({
        ...{ key, target: column.target, parameters, signal: running.current.signal },
        messages: [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...messages],
        onText: (coming) => change(column.id, { coming }),
      })
      const calls = last.toolCalls.length === 0 ? {} : { tool_calls: last.toolCalls }
      const answer: Message = { role: 'assistant', content: last.text === '' ? null : last.text, ...calls }
      change(column.id, { messages: [...messages, answer], coming: undefined, last })
    } catch (thrown) {
      // The question comes back, so that it can be asked again.
      change(column.id, { messages: column.messages, coming: undefined, failure: toFailure(thrown) })
    }
  }

  return {
    columns,
    isRunning: columns.some(({ coming }) => coming !== undefined),
    aim: (id: number, target: Target) => change(id, { target }),
    /** Another model, asked from here on by the same conversation. */
    add: () =>
      setColumns((before) => [...before, newColumn(Math.max(...before.map(({ id }) => id)) + 1, MOCK, first.messages)]),
    remove: (id: number) => setColumns((before) => before.filter((column) => column.id !== id)),
    ask: (message: Message, asking: Asking) => Promise.all(columns.map((column) => ask(column, [message], asking))),
    /** Tells one model what its tools came to. */
    tell: (id: number, results: readonly Message[], asking: Asking) =>
      Promise.all(columns.filter((column) => column.id === id).map((column) => ask(column, results, asking))),
    stop: () => {
      running.current.abort(new DOMException('Stopped.', 'AbortError'))
      running.current = new AbortController()
    },
    clear: () => setColumns((before) => before.map(({ id, target }) => newColumn(id, target))),
  }
}
