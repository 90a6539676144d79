import { HeaderList } from '#core/header-fields'
import { type Answer, type Call, UnsupportedEndpoint } from '#kit'
import { report, type Target } from '#kit/slots'

const encoder = new TextEncoder()

/**
 * An estimate of ours, for a provider that has no way to be asked.
 * @throws UnsupportedEndpoint for what only a provider can answer
 */
export const answerItself = (call: Call, { provider, model = '' }: Target, form: string): Answer => {
  const { endpoint, params } = call
  if (endpoint.answersItself === undefined) {
    throw new UnsupportedEndpoint(`The provider '${provider.id}' does not offer '${form}' calls.`)
  }
  if (endpoint.body.kind === 'json') endpoint.body.check(params)
  call.set(report, { provider: provider.id, model, droppedParams: [], stream: false })
  call.replyHeaders.set('x-gateway-estimated', 'true')
  const headers = new HeaderList()
  headers.set('content-type', 'application/json')
  return { status: 200, headers, body: encoder.encode(JSON.stringify(endpoint.answersItself(params))) }
}
