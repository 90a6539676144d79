import { createHash } from 'node:crypto'

/** Id of an answer, the same for the same request. */
export const mockId = (kind: string, body: Record<string, unknown>): string =>
  `${kind}-mock-${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 24)}`
