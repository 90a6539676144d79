import { useEffect, useRef, useState } from 'react'
import { type Failure, toFailure } from '../api/failure.ts'
import { type ChatAnswer, chat, type Message, type Target } from './chat.ts'

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

export const newColumn = (id: number, model: string): Column => ({
  ...{ id, target: { model, config: '' }, messages: [] },
  ...{ coming: undefined, last: undefined, failure: undefined },
})

/** Columns of a conversation, and what can be done with them. */
export const useColumns = (first: Column) => {
  const [columns, setColumns] = useState<readonly Column[]>([first])
  const running = useRef(new AbortController())
  // Nobody reads an answer to a page that is left.
  useEffect(() => () => running.current.abort(), [])

  const change = (id: number, part: Partial<Column>): void =>
    setColumns((before) => before.map((column) => (column.id === id ? { ...column, ...part } : column)))

  const ask = async (column: Column, key: string, text: string, system: string): Promise<void> => {
    const messages: readonly Message[] = [...column.messages, { role: 'user', content: text }]
    change(column.id, { messages, coming: '', last: undefined, failure: undefined })
    try {
      const last = await chat({
        ...{ key, target: column.target, signal: running.current.signal },
        messages: [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...messages],
        onText: (coming) => change(column.id, { coming }),
      })
      change(column.id, { messages: [...messages, { role: 'assistant', content: last.text }], coming: undefined, last })
    } catch (thrown) {
      // The question comes back, so that it can be asked again.
      change(column.id, { messages: column.messages, coming: undefined, failure: toFailure(thrown) })
    }
  }

  return {
    columns,
    isRunning: columns.some(({ coming }) => coming !== undefined),
    aim: (id: number, target: Target) => change(id, { target }),
    add: () => setColumns((before) => [...before, newColumn(Math.max(...before.map(({ id }) => id)) + 1, 'mock')]),
    remove: (id: number) => setColumns((before) => before.filter((column) => column.id !== id)),
    ask: (key: string, text: string, system: string) =>
      Promise.all(columns.map((column) => ask(column, key, text, system))),
    stop: () => {
      running.current.abort(new DOMException('Stopped.', 'AbortError'))
      running.current = new AbortController()
    },
    clear: () => setColumns((before) => before.map(({ id, target }) => ({ ...newColumn(id, ''), target }))),
  }
}
