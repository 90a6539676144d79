import { isRecord } from '../../core/json/record.ts'
import { InvalidRequest } from '../../errors/gateway-error.ts'

/** What a call says to a prompt. */
export interface PromptInput {
  readonly variables: Readonly<Record<string, unknown>>
  /** Parameters in the place of saved ones. */
  readonly overrides: Readonly<Record<string, unknown>>
  /** The call alone says so; what was saved does not count. */
  readonly stream: boolean
  /** Size of the body in bytes: images inside variables may be large, and what is rendered may be as large again. */
  readonly bodyBytes: number
}

/**
 * Reads the body of a call to a prompt. Parameters may stand beside `variables` or inside `hyperparameters`, the former
 * count more; `messages` and `prompt` are the template's.
 * @throws InvalidRequest naming the field
 */
export const readPromptInput = (body: Readonly<Record<string, unknown>>, bodyBytes = 0): PromptInput => {
  const { variables, hyperparameters = {}, stream, messages: _, prompt: __, ...overrides } = body
  if (variables === undefined) throw new InvalidRequest('`variables` is required.', { param: 'variables' })
  if (!isRecord(variables)) throw new InvalidRequest('`variables` must be an object.', { param: 'variables' })
  if (!isRecord(hyperparameters)) {
    throw new InvalidRequest('`hyperparameters` must be an object.', { param: 'hyperparameters' })
  }
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean') {
    throw new InvalidRequest('`stream` must be a boolean.', { param: 'stream' })
  }
  const { messages: ___, prompt: ____, stream: _____, ...grouped } = hyperparameters
  return { variables, overrides: { ...grouped, ...overrides }, stream: stream === true, bodyBytes }
}
