/** Why something that was asked of the gateway is not there. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** HTTP status; 0: the gateway was not reached. */
  readonly status: number
  /** Field that is at fault. */
  readonly param: string | undefined
  readonly requestId: string | undefined

  constructor(
    message: string,
    status: number,
    details: { param?: string | undefined; requestId?: string | null } = {},
  ) {
    super(message)
    this.status = status
    this.param = details.param
    this.requestId = details.requestId ?? undefined
  }
}

const textIn = (value: unknown, name: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const found: unknown = (value as Readonly<Record<string, unknown>>)[name]
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** @param body of a refusal, in any of the forms that the gateway has */
export const failureOf = (body: unknown, { status, headers }: Response): Failure => {
  const inner = typeof body === 'object' && body !== null && 'error' in body ? body.error : body
  const message = textIn(inner, 'message') ?? textIn(body, 'message') ?? `The gateway answered ${status}.`
  return new Failure(message, status, { param: textIn(inner, 'param'), requestId: headers.get('x-request-id') })
}

/** @param thrown by the network, or ours already */
export const toFailure = (thrown: unknown): Failure => {
  if (thrown instanceof Failure) return thrown
  if (thrown instanceof TypeError) return new Failure('The gateway cannot be reached. Is it running?', 0)
  return new Failure(thrown instanceof Error ? thrown.message : String(thrown), 0)
}
