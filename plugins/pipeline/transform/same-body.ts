import { wholeBody } from '#core/bodies/body'
import type { Call } from '#kit'

type Fields = Readonly<Record<string, unknown>>

/** Whether the body as it came says what a target is to be asked, though its parameters differ: in what stands in the path alone. */
export const saysTheSame = ({ endpoint: { notInBody }, request }: Call, params: Fields, original: Fields): boolean => {
  if (notInBody === undefined) return false
  const body = wholeBody(request.body).json()
  const [left, right] = [without(params, notInBody), without(original, notInBody)]
  const names = Object.keys(left)
  return (
    notInBody.every((name) => !Object.hasOwn(body, name)) &&
    names.length === Object.keys(right).length &&
    names.every((name) => left[name] === right[name])
  )
}

/** Fields but for these names. */
export const without = (fields: Fields, names: readonly string[] | undefined): Fields =>
  names === undefined ? fields : Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
