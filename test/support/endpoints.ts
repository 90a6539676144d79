import type { Endpoint } from '#kit'
import { builtInEndpoints } from '../../plugins/built-in.ts'

/** A built-in endpoint. */
export const endpoint = (id: string): Endpoint => {
  const found = builtInEndpoints.find((each) => each.id === id)
  if (found === undefined) throw new Error(`there is no built-in endpoint '${id}'`)
  return found
}
