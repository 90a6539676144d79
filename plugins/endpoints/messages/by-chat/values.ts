import { InvalidRequest, isRecord } from '#kit'

export type Fields = Readonly<Record<string, unknown>>

/** Names a part of the request that the reference form has no place for: `tools[].input_examples`. */
export type Report = (part: string) => void

/** @throws InvalidRequest naming the field */
export const refuse = (param: string, problem: string): never => {
  throw new InvalidRequest(`\`${param}\` ${problem}.`, { param })
}

export const recordAt = (value: unknown, param: string): Fields =>
  isRecord(value) ? value : refuse(param, 'must be an object')

export const stringAt = (value: unknown, param: string): string =>
  typeof value === 'string' ? value : refuse(param, 'must be a string')

export const listAt = (value: unknown, param: string): readonly unknown[] =>
  Array.isArray(value) ? value : refuse(param, 'must be an array')

/** The mark of a prompt cache breakpoint. Adapters of providers without one drop and name it. */
export const cacheMark = ({ cache_control: mark }: Fields): Fields => (isRecord(mark) ? { cache_control: mark } : {})

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null
