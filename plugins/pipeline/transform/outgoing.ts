import type { AdaptedRequest } from '#calls/adapt'
import type { FormBody } from '#core/bodies/body'
import { editedForm } from '#core/forms/edit-form'
import { assembled, type Segment } from '#core/forms/segments'
import { formSegments, jsonSegments } from '#core/forms/write-body'
import { type Call, UnsupportedEndpoint } from '#kit'
import { type Adapter, type EndpointName, FormFile } from '#kit/provider'
import type { ProviderRequest } from '#kit/slots'

type Fields = Readonly<Record<string, unknown>>

/** A request body, and what it is said to be. */
export interface Outgoing {
  readonly body?: ProviderRequest['body']
  /** Content type; absent without a body. */
  readonly type?: string
}

/** What a provider is sent for a form, or as one; undefined for JSON that stands for JSON. */
export const formOutgoing = (
  call: Call,
  { wire, sends }: Pick<Adapter<EndpointName>, 'wire' | 'sends'>,
  { body: fields = {} }: Pick<AdaptedRequest, 'body'>,
): Outgoing | undefined => {
  const { body, headers } = call.request
  const form = body.kind === 'form' ? body : undefined
  if (sends === 'form') return newForm(fields, form)
  if (sends === 'file') return onlyFile(fields, form)
  if (form === undefined) return undefined
  if (sends === 'json' || wire === 'own')
    return put(jsonSegments(fields, crypto.randomUUID()), form, 'application/json')
  return put(editedForm(form, call.params, fields), form, headers.get('content-type') ?? '')
}

const put = (segments: readonly Segment[], form: FormBody | undefined, type: string): Outgoing => ({
  body: assembled(segments, form),
  type,
})

const newForm = (fields: Fields, form: FormBody | undefined): Outgoing => {
  const boundary = `weir-${crypto.randomUUID()}`
  return put(formSegments(fields, boundary), form, `multipart/form-data; boundary=${boundary}`)
}

const onlyFile = (fields: Fields, form: FormBody | undefined): Outgoing => {
  const [file] = Object.values(fields).filter((each) => each instanceof FormFile)
  if (file === undefined) throw new UnsupportedEndpoint('The provider can only be sent a file here.')
  return put([{ from: file.start, to: file.end }], form, file.type || 'application/octet-stream')
}
