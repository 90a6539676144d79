import type { Message } from '#core/mcp/json-rpc'
import { isRecord } from '#kit'
import type { Outward } from '../exchange.ts'
import { publicId, publicUri } from './names.ts'

type Fields = Readonly<Record<string, unknown>>

/** What one server says, for a client that talks to several: its resources and ids say whose they are. */
export const outwardOf = (slug: string): Outward => ({
  result(result) {
    const { contents, content, messages } = result
    return {
      ...result,
      ...(Array.isArray(contents) ? { contents: contents.map((each: unknown) => withUri(slug, each)) } : {}),
      ...(Array.isArray(content) ? { content: content.map((each: unknown) => partFor(slug, each)) } : {}),
      ...(Array.isArray(messages)
        ? {
            messages: messages.map((each: unknown) =>
              isRecord(each) ? { ...each, content: partFor(slug, each.content) } : each,
            ),
          }
        : {}),
    }
  },
  message(message: Message) {
    const { fields } = message
    if (message.kind === 'answer') return fields
    const params = paramsFor(slug, message.method, message.params)
    const own = fields.params === undefined ? {} : { params }
    return message.kind === 'request' ? { ...fields, ...own, id: publicId(slug, message.id) } : { ...fields, ...own }
  },
})

const withUri = (slug: string, value: unknown): unknown =>
  isRecord(value) && typeof value.uri === 'string' ? { ...value, uri: publicUri(slug, value.uri) } : value

const partFor = (slug: string, part: unknown): unknown => {
  if (!isRecord(part)) return part
  if (part.type === 'resource_link') return withUri(slug, part)
  return part.type === 'resource' ? { ...part, resource: withUri(slug, part.resource) } : part
}

/** A progress token of a client goes and comes as it is; one of a server says whose it is. */
const paramsFor = (slug: string, method: string, params: Fields): Fields => {
  if (method === 'notifications/cancelled') return { ...params, requestId: publicId(slug, params.requestId) }
  if (method === 'notifications/resources/updated' && typeof params.uri === 'string') {
    return { ...params, uri: publicUri(slug, params.uri) }
  }
  const { _meta: meta } = params
  if (!isRecord(meta) || meta.progressToken === undefined) return params
  return { ...params, _meta: { ...meta, progressToken: publicId(slug, meta.progressToken) } }
}
