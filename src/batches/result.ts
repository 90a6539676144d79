/** A line of the files that batches make: `RequestOutput` of OpenAI's reference ("Batch", read 2026-11-22). */

type Response = {
  readonly status_code: number
  readonly request_id: string
  readonly body: unknown
}

interface Outcome {
  readonly id: string
  readonly customId: string
}

export const answeredLine = ({ id, customId }: Outcome, response: Response): string =>
  JSON.stringify({ id, custom_id: customId, response, error: null })

/** One that was never answered. */
export const unansweredLine = (
  { id, customId }: Outcome,
  error: { readonly code: string; readonly message: string },
): string => JSON.stringify({ id, custom_id: customId, response: null, error })
