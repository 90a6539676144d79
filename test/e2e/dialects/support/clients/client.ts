import type { Finish } from '../scenes.ts'

/** A question in no form. */
export interface Question {
  readonly text: string
  readonly system?: string
  /** PNG in base64. */
  readonly image?: string
  readonly tools?: boolean
  /** The model has to call a tool. */
  readonly forced?: boolean
  readonly schema?: object
  readonly thinks?: boolean
  readonly stop?: string
  readonly maxTokens?: number
  readonly temperature?: number
  /** A turn of before, whose calls are answered now. */
  readonly after?: { readonly question: Question; readonly got: Got; readonly results: readonly string[] }
}

/** An answer in no form. */
export interface Got {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]
  readonly finish: Finish
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number }
  /** Parameters that were lost, by the names of the client. */
  readonly dropped: readonly string[]
  /** The turn as the client keeps it, to be sent back. */
  readonly turn: unknown
}

/** A client of one dialect: the official one of its maker. */
export interface DialectClient {
  /** @param provider asked by its id */
  ask(provider: string, model: string, question: Question, isStreamed: boolean): Promise<Got>
  /** Status and words of an error that a call fails with; nothing for another failure. */
  errorOf(
    thrown: unknown,
  ): { readonly status: number | undefined; readonly message: string; readonly retryAfter?: string | null } | undefined
}

export const WEATHER = {
  name: 'weather',
  description: 'The weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
} as const

export const droppedOf = (headers: { get(name: string): string | null }): readonly string[] =>
  (headers.get('x-gateway-dropped-params') ?? '').split(', ').filter((name) => name !== '')
