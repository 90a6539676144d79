import { InvalidRequest, isRecord } from '#kit'

export type Fields = Readonly<Record<string, unknown>>

/** A content block, a tool or a turn of the Messages API. */
export type Block = { readonly type: string; readonly [field: string]: unknown }

export const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

/** @throws InvalidRequest naming the field. */
export const refuse = (param: string, problem: string): never => {
  throw new InvalidRequest(`\`${param}\` ${problem}`, { param })
}

export const recordAt = (value: unknown, param: string): Fields =>
  isRecord(value) ? value : refuse(param, 'must be an object.')

export const stringAt = (value: unknown, param: string): string =>
  typeof value === 'string' ? value : refuse(param, 'must be a string.')

export const numberAt = (value: unknown, param: string): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse(param, 'must be a number.')

export const listAt = (value: unknown, param: string): readonly unknown[] =>
  Array.isArray(value) ? value : refuse(param, 'must be an array.')

/** The mark of a prompt cache breakpoint, which parts, messages and tools of a request may carry. */
export const cacheMark = ({ cache_control: mark }: Fields): Fields => (isRecord(mark) ? { cache_control: mark } : {})
