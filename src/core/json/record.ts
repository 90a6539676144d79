/** A plain object with string keys: what JSON calls an object. Arrays are not one. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
