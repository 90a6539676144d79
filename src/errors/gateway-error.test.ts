import { describe, expect, test } from 'bun:test'
import { CATALOGUE, type ErrorCode } from './catalogue.ts'
import * as errors from './gateway-error.ts'

type ErrorClass = new (message: string, options?: errors.GatewayErrorOptions) => errors.GatewayError

const isErrorClass = ([name, value]: readonly [string, unknown]): boolean =>
  typeof value === 'function' && name !== 'GatewayError' && value.prototype instanceof errors.GatewayError

const classes = Object.entries(errors).filter(isErrorClass) as [string, ErrorClass][]

/** `InvalidApiKey` is the class of `invalid_api_key`. */
const codeOf = (name: string): string => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase()

test('each row of the catalogue has its class, and each class its row', () => {
  expect(classes.map(([name]) => codeOf(name)).sort()).toEqual(Object.keys(CATALOGUE).sort())
})

for (const [name, ErrorClass] of classes) {
  test(`${name} is the error of its row`, () => {
    const error = new ErrorClass('what to do')
    expect(error).toBeInstanceOf(errors.GatewayError)
    expect(error).toBeInstanceOf(Error)
    expect(error.code).toBe(codeOf(name) as ErrorCode)
    expect(error.row).toBe(CATALOGUE[error.code])
    expect(error.status).toBe(error.row.status)
    expect(error.message).toBe('what to do')
    expect(error.options).toEqual({})
  })
}

describe('GatewayError', () => {
  test('the status of a provider wins over the row', () => {
    expect(new errors.UpstreamError('busy', { status: 529 }).status).toBe(529)
  })

  test('keeps the cause for the log, and has none unless given', () => {
    const cause = new Error('inner')
    expect(new errors.InternalError('outer', { cause }).cause).toBe(cause)
    expect('cause' in new errors.InternalError('outer')).toBe(false)
  })

  test('classes do not match each other', () => {
    expect(new errors.InvalidRequest('x')).not.toBeInstanceOf(errors.InvalidHeader)
  })
})

describe('catalogue', () => {
  for (const [code, row] of Object.entries(CATALOGUE)) {
    test(`${code} is a whole row`, () => {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(row.status).toBeWithin(400, 600)
      expect(row.type).not.toBe('')
      expect(row.when).toMatch(/^[A-Z`].*\.$/)
    })
  }
})
