import { InvalidParameters, t } from '#kit'

/** Parameters of every check that asks a model. */
export const timeout = (defaultMs: number) =>
  t.Integer({ default: defaultMs, minimum: 1, maximum: 60_000, description: 'Milliseconds the check may take.' })

export const failOnError = t.Boolean({
  default: false,
  description: 'A text that could not be judged counts as refused.',
})

export const provider = t.String({
  pattern: '^@?[A-Za-z0-9_-]{1,255}$',
  description: 'Who is asked: `@slug` of a stored provider of the workspace, or the id of a running one.',
})

export const model = t.String({ minLength: 1, maxLength: 255, description: 'Model that is asked.' })

export const threshold = t.Number({
  default: 0.5,
  minimum: 0,
  maximum: 1,
  description: 'Refused is what the model gives this score, or a higher one.',
})

/** @throws InvalidParameters where only one of the two is there */
export const refuseHalf = (given: { readonly provider?: string; readonly model?: string }): void => {
  if ((given.provider === undefined) === (given.model === undefined)) return
  const path = given.provider === undefined ? 'provider' : 'model'
  throw new InvalidParameters([{ path, message: 'is missing: a provider and its model go together' }])
}
