import { expect } from 'bun:test'
import { defined } from '#kit'
import type { FaultName } from '../faults.ts'
import type { MockServer } from '../server.ts'
import { type RawAnswer, type RawCall, rawCall } from './raw-client.ts'
import { content, dataOf, finished, text } from './stream.ts'

type Fields = Readonly<Record<string, unknown>>

/** A call under a fault: the mock's switches, and what else differs from the plain call. */
export type Call = (
  fault: FaultName,
  stream: boolean,
  mock?: Fields,
  more?: Partial<RawCall> & { readonly extra?: Fields },
) => Promise<RawAnswer>

export interface FaultKit {
  readonly server: MockServer
  readonly call: Call
}

/** Proves over the wire that a fault is what it says. */
export type Proof = (kit: FaultKit) => Promise<void>

/** What every call of the kit asks, and what the mock answers. */
export const QUESTION = 'one two three four'
export const ANSWER = `Mock answer to: ${QUESTION}`

/** For `more`: asks for the usage chunk. */
export const WITH_USAGE = { extra: { stream_options: { include_usage: true } } }

export const requestBody = (stream: boolean, mock?: Fields, extra?: Fields) => ({
  model: 'mock',
  messages: [{ role: 'user', content: QUESTION }],
  stream,
  ...defined({ mock }),
  ...extra,
})

export const faultKit = (server: MockServer): FaultKit => ({
  server,
  call: (fault, stream, mock, more) =>
    rawCall({ port: server.port, body: requestBody(stream, { fault, ...mock }, more?.extra), ...more }),
})

/** The stream decodes to the whole right answer. */
export const expectRightStream = (answer: RawAnswer): void => {
  const data = dataOf(answer).filter((item) => item.trim() !== '')
  expect(content(data)).toBe(ANSWER)
  expect(finished(data)).toBe(true)
  expect(data.at(-1)).toBe('[DONE]')
}

export const expectRightReply = (body: Uint8Array): void =>
  expect(JSON.parse(Buffer.from(body).toString()).choices[0].message.content).toBe(ANSWER)

/** The last call was given up by its client, and the mock saw it. */
export const expectAborted = async (server: MockServer, before: number): Promise<void> => {
  await server.idle()
  expect(server.counters.aborted).toBe(before + 1)
  expect(server.requests.at(-1)?.outcome).toBe('aborted')
}

export const errorOf = (answer: RawAnswer) => JSON.parse(text(answer)).error
