/** The mock refuses a request: the status and the error body of the reference. */
export class MockRefusal extends Error {
  readonly status: number
  readonly param: string | null
  readonly code: string | null

  constructor(status: number, message: string, param: string | null = null, code: string | null = null) {
    super(message)
    this.name = 'MockRefusal'
    this.status = status
    this.param = param
    this.code = code
  }
}
