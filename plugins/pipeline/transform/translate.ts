import { splitModel } from '#calls/config/model-name'
import { type Host, InvalidRequest, UnsupportedEndpoint } from '#kit'
import { type AdapterContext, type TranslatedRequest, usageFromOpenAI } from '#kit/provider'
import type { Target } from '#kit/slots'
import { adapted } from './adapted.ts'
import { checked } from './checked.ts'
import { chooseAdapter } from './choose-adapter.ts'

type Fields = Readonly<Record<string, unknown>>

/** For whom a request of another kind of call is translated. */
export interface TranslateOptions {
  readonly host: Pick<Host, 'bridges' | 'endpoints'>
  readonly target: Target
  /** Of the call that it is a part of. */
  readonly context: AdapterContext
}

/**
 * Puts the body of another kind of call into the words of a provider: a line of a batch.
 * @returns undefined where the provider cannot be asked for such a thing in one request
 * @throws InvalidRequest naming the field
 */
export const translate = (
  { host, target, context: outer }: TranslateOptions,
  endpointId: string,
  body: Fields,
): TranslatedRequest | undefined => {
  const endpoint = host.endpoints.list().find(({ id }) => id === endpointId)
  if (endpoint?.form === undefined) throw new UnsupportedEndpoint(`There is no kind of call \`${endpointId}\`.`)
  if (body.stream === true) throw new InvalidRequest('A part of a batch cannot stream.', { param: 'stream' })
  const params = withBareModel(body)
  const model = typeof params.model === 'string' ? params.model : ''
  const chosen = chooseAdapter(endpoint.form, target.provider, model, host.bridges)
  if (chosen === undefined || chosen.adapter.perform !== undefined || chosen.adapter.sends !== undefined)
    return undefined
  const { adapter, bridge } = chosen
  const context: AdapterContext = {
    ...outer,
    model,
    stream: false,
    asked: params,
    strict: bridge?.asks?.strict ?? target.strict,
    ownFinishReason: bridge === undefined ? target.ownFinishReason : undefined,
    includeUsage: true,
    pathParams: {},
    search: '',
  }
  const { request, dropped } = checked(endpoint, params, context, bridge)
  const made = adapted(adapter, request, { context, bridge, params })
  return {
    path: made.path,
    model,
    body: made.body ?? {},
    dropped: [...dropped, ...made.dropped],
    reply(answer) {
      const read = adapter.reply?.(answer, context, request)
      const reply = (read?.reply ?? adapter.amend?.(context)?.amend(answer) ?? answer) as unknown as Fields
      const usage = read?.usage ?? endpoint.usageOf(reply) ?? bridge?.usageOf?.(reply) ?? usageFromOpenAI(reply.usage)
      return { reply: bridge === undefined ? reply : bridge.reply(reply, context, params), usage }
    },
  }
}

/** The provider is that of the call: a name of it in front of the model says nothing more. */
const withBareModel = (body: Fields): Fields => {
  const split = typeof body.model === 'string' ? splitModel(body.model) : undefined
  return split === undefined ? body : { ...body, model: split.model }
}
