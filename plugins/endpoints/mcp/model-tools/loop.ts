import type { Host } from '#kit'
import type { OfferLists } from './offers.ts'

/** What asking a model until it asks for no tools any more needs. */
export interface ToolLoop {
  readonly host: Pick<Host, 'clock' | 'innerCalls' | 'mcp' | 'randomId'>
  readonly offers: OfferLists
  /** How often a model is asked for one call at most. */
  readonly maxTurns: number
}
