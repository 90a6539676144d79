import { readBody } from '../../http/read-body.ts'
import { invalidField } from '../invalid-field.ts'

const FORM = 'application/x-www-form-urlencoded'

/** The kind of body that a request says it has; lower case, without its parameters. */
export const mediaTypeOf = ({ headers }: Request): string =>
  (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** A form that a page of ours sends; each field once. @throws ManagementInvalid; what `readBody` throws */
export const readForm = async (
  request: Request,
  limits: Parameters<typeof readBody>[1],
): Promise<ReadonlyMap<string, string>> => {
  if (mediaTypeOf(request) !== FORM) throw invalidField('content-type', `must be ${FORM}`)
  const text = new TextDecoder().decode(await readBody(request, limits))
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw invalidField(name.slice(0, 40), 'is given twice')
    fields.set(name, value)
  }
  return fields
}
