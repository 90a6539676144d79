import type { BudgetType } from '../../core/budgets.ts'
import { defined } from '../../core/defined.ts'
import type { CallRecord, FeedbackRecord, OpenedCall, SealedBodies } from '../../core/records.ts'
import type { Placed } from '../store.ts'
import { FRAME } from './frame.ts'
import type { Frame } from './segment-reader.ts'

/** What a frame says. */
export type SpooledRow =
  | ({ readonly kind: 'opened' } & Placed<OpenedCall>)
  | ({ readonly kind: 'record' } & Placed<CallRecord>)
  | ({ readonly kind: 'bodies' } & Placed<SealedBodies>)
  | ({ readonly kind: 'feedback' } & Placed<FeedbackRecord>)

/** The part of bodies that is JSON. */
export const bodiesHead = ({ id, organisationId, workspaceId, time }: CallRecord): string =>
  JSON.stringify({ recordId: id, organisationId, workspaceId, time } satisfies Omit<SealedBodies, 'sealed'>)

/** Copies out of the frame what it says. @throws SyntaxError for what was never written here */
export const toRow = ({ kind, position, payload }: Frame): SpooledRow => {
  switch (kind) {
    case FRAME.opened:
      return { kind: 'opened', position, row: JSON.parse(textOf(payload)) }
    case FRAME.record:
      return { kind: 'record', position, row: JSON.parse(textOf(payload)) }
    case FRAME.bodies: {
      const [a = 0, b = 0, c = 0, d = 0] = payload
      const end = 4 + (a | (b << 8) | (c << 16) | (d << 24))
      const head: Omit<SealedBodies, 'sealed'> = JSON.parse(textOf(payload.subarray(4, end)))
      return { kind: 'bodies', position, row: { ...head, sealed: payload.slice(end) } }
    }
    case FRAME.feedback:
      return { kind: 'feedback', position, row: JSON.parse(textOf(payload)) }
  }
}

const decoder = new TextDecoder()
const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)

/**
 * What becomes of a call whose process died before it ended: nobody knows its status. What budgets held back for it is taken
 * as spent, so that records and counts agree; without it nobody knows its tokens or what they cost either.
 */
export const interrupted = ({ held, ...opened }: OpenedCall): CallRecord => {
  const [cost, totalTokens] = [mostHeld(held, 'cost'), mostHeld(held, 'tokens')]
  return {
    ...opened,
    callId: opened.id,
    kind: 'call',
    attempt: 0,
    // Nobody was there any more to get an answer.
    status: 499,
    outcome: 'interrupted',
    success: false,
    errorCode: 'interrupted',
    errorMessage: 'The gateway was ended before the call was.',
    attempts: 1,
    retries: 0,
    fallback: false,
    ...(cost === undefined
      ? { unpriced: true }
      : { cost: { total: cost, input: cost, output: 0, cache: 0, other: 0 } }),
    ...(cost === undefined && totalTokens === undefined ? {} : { estimated: true }),
    ...defined({ totalTokens, charges: held }),
    totalUs: 0,
  }
}

/** Budgets hold back different amounts where one looks at a target alone: the largest is that of the whole call. */
const mostHeld = (held: OpenedCall['held'], type: BudgetType): number | undefined =>
  held?.reduce<number | undefined>(
    (most, { type: of, amount }) => (of === type ? Math.max(most ?? 0, amount) : most),
    undefined,
  )
