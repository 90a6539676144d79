import { noteAnswer, noteBought } from '#calls/answered'
import { assembled } from '#core/forms/segments'
import { HeaderList } from '#core/header-fields'
import { type Answer, type Call, fromPieces, type Host } from '#kit'
import type { AdapterContext, EndpointName, Perform, Performed, Performing, RequestOf } from '#kit/provider'
import { ownFiles, type ProviderRequest, type Target } from '#kit/slots'
import { createExchange } from './exchange.ts'
import { translate } from './translate.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is performed, and with what. */
export interface Performance {
  readonly perform: Perform<EndpointName>
  readonly asked: RequestOf<EndpointName>
  readonly context: AdapterContext
  /** What the client asks of this target. */
  readonly params: Fields
  readonly host: Pick<Host, 'bridges' | 'clock' | 'endpoints'>
}

/** The request of a call that is made of several. */
export const performedRequest = (
  call: Call,
  target: Target,
  { perform, asked, context, params, host }: Performance,
  baseURL: string,
): ProviderRequest => ({
  method: 'POST',
  url: baseURL,
  headers: new HeaderList(),
  stream: false,
  perform: async (send) => {
    const exchange = createExchange(call, target, { baseURL, send, now: () => host.clock.now() })
    const performing: Performing<EndpointName> = {
      request: asked,
      context,
      baseURL,
      contentOf: (file) => contentOf(call, file),
      ownFiles: call.find(ownFiles) ?? NO_FILES,
      translate: (endpoint, body) => translate({ host, target, context }, endpoint, body),
    }
    return toAnswer(call, params, await perform(performing, exchange))
  },
})

const NO_FILES: Performing<EndpointName>['ownFiles'] = new Map()

type Content = ReturnType<Performing<EndpointName>['contentOf']>

const contentOf = (
  { request: { body } }: Call,
  file: Parameters<Performing<EndpointName>['contentOf']>[0],
): Content => {
  if (body.kind !== 'form') throw new Error('a call without a form has no files')
  const content = assembled([{ from: file.start, to: file.end }], body)
  return content instanceof Uint8Array ? { stream: fromPieces([content]), length: content.length } : content
}

const encoder = new TextEncoder()

const toAnswer = (call: Call, asked: Fields, done: Performed<EndpointName>): Answer => {
  const headers = new HeaderList()
  if ('reply' in done) {
    const reply = done.reply as unknown as Fields
    if (done.usage !== undefined) call.recordUsage(done.usage)
    noteAnswer(call, reply)
    noteBought(call, asked, reply)
    headers.set('content-type', 'application/json')
    return { status: 200, headers, body: encoder.encode(JSON.stringify(reply)) }
  }
  const { body, type, headers: more = {}, status = 200 } = done
  noteBought(call, asked)
  headers.set('content-type', type)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return body instanceof Uint8Array
    ? { status, headers, body }
    : { status, headers, verbatim: true, opaque: true, body }
}
