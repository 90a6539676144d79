import { createHash } from 'node:crypto'

/** The same for definitions that say the same, in whatever order their keys come. */
export const hashOf = (definition: Readonly<Record<string, unknown>>): string =>
  createHash('sha256').update(JSON.stringify(definition, inOrder)).digest('hex')

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
