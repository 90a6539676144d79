import { expect } from 'bun:test'
import { CATALOGUE, type ErrorCode } from '../../../src/errors/catalogue.ts'
import { SCIM_JSON } from '../../../src/management/scim/errors.ts'
import { ERROR as SCIM_ERROR } from '../../../src/people/scim/documents.ts'
import type { TestAnswer } from './world.ts'

/** Checks status and body of a refusal: the envelope of the interface contract 1.4 and that of behaviours 9.4 in one. */
export const expectError = (answer: TestAnswer, code: ErrorCode, status: number = CATALOGUE[code].status): void => {
  if (answer.headers.get('content-type') === SCIM_JSON) {
    expectScimError(answer, status)
    return
  }
  const { type, wireCode } = CATALOGUE[code]
  const { errors, ...whole } = answer.body
  const message = messageOf(answer)
  // Some routes say it in the words of their own clients too.
  const { status: word, message: told, code: ownCode, ...envelope } = whole
  const saysItToo = word === 'failure' && told === message && ownCode !== undefined
  const body = saysItToo ? envelope : whole
  expect(message).toMatch(/^[A-Z].*\.$/s)
  expect({ status: answer.status, body }).toEqual({
    status,
    body: {
      success: false,
      data: { message, errorCode: wireCode },
      error: { message, type, param: paramOf(answer) ?? null, code: wireCode },
    },
  })
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('x-gateway-request-id')).toBeTruthy()
  if (errors === undefined) return
  for (const violation of errors as readonly unknown[]) {
    expect(Object.keys(violation as object)).toEqual(['path', 'message'])
  }
}

/** The same of RFC 7644, section 3.12. */
const expectScimError = (answer: TestAnswer, status: number): void => {
  const { detail, scimType, ...body } = answer.body
  expect({ status: answer.status, body }).toEqual({ status, body: { schemas: [SCIM_ERROR], status: String(status) } })
  expect(detail).toMatch(/^[A-Z`].*\.$/s)
  expect(['string', 'undefined']).toContain(typeof scimType)
  expect(answer.headers.get('x-gateway-request-id')).toBeTruthy()
}

/** The field that a refusal names, or null. */
export const paramOf = (answer: TestAnswer): unknown => fieldOfError(answer, 'param')

const messageOf = (answer: TestAnswer): string => String(fieldOfError(answer, 'message'))

const fieldOfError = ({ body: { error } }: TestAnswer, field: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined
