import { useEffect, useRef, useState } from 'react'
import { ownHeaders } from '../api/client.ts'
import { eventsOf } from '../api/events.ts'
import { type Failure, failureOf, toFailure } from '../api/failure.ts'
import { PREFIX } from '../api/page.ts'
import type { RecordRow } from './record-table.tsx'

/** Rows that are kept on the page: more than anybody reads. */
const MAX_ROWS = 200
const RETRY_MS = 2_000

export interface Tail {
  /** Newest first. */
  readonly rows: readonly RecordRow[]
  readonly isListening: boolean
  /** How many the gateway left out, as the page did not read them in time. */
  readonly dropped: number
  readonly failure: Failure | undefined
}

const NOTHING: Tail = { rows: [], isListening: false, dropped: 0, failure: undefined }

/** Records as they arrive, while `isOn`. @param query of the stream, as the address of it has it */
export const useTail = (query: string, isOn: boolean): Tail => {
  const [tail, setTail] = useState<Tail>(NOTHING)
  const change = useRef((part: (before: Tail) => Partial<Tail>) =>
    setTail((before) => ({ ...before, ...part(before) })),
  )
  useEffect(() => {
    if (!isOn) return
    const ended = new AbortController()
    const apply = change.current
    setTail(NOTHING)
    void follow(query, ended.signal, apply)
    return () => {
      ended.abort()
      apply(() => ({ isListening: false }))
    }
  }, [query, isOn])
  return tail
}

type Apply = (part: (before: Tail) => Partial<Tail>) => void

/** Listens again when the connection is lost, until nobody looks any more. */
const follow = async (query: string, signal: AbortSignal, apply: Apply): Promise<void> => {
  while (!signal.aborted) {
    try {
      await listen(query, signal, apply)
    } catch (thrown) {
      if (signal.aborted) return
      const failure = toFailure(thrown)
      apply(() => ({ failure, isListening: false }))
      // It would be refused again.
      if (failure.status >= 400 && failure.status < 500) return
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

const listen = async (query: string, signal: AbortSignal, apply: Apply): Promise<void> => {
  const response = await fetch(`${PREFIX}/v2/logs/stream?${query}`, { signal, headers: ownHeaders() })
  if (!response.ok || response.body === null) throw failureOf(await response.json().catch(() => null), response)
  for await (const { event, data } of eventsOf(response.body)) {
    if (event === 'ready') apply(() => ({ isListening: true, failure: undefined }))
    if (event === 'log') {
      const row = JSON.parse(data) as RecordRow
      apply(({ rows }) => ({ rows: [row, ...rows].slice(0, MAX_ROWS) }))
    }
    if (event === 'dropped') apply(({ dropped }) => ({ dropped: dropped + (Number(data) || 1) }))
  }
}
