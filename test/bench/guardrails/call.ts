import chat from '../../../plugins/endpoints/chat-completions.ts'
import { WholeBody } from '../../../src/core/bodies/body.ts'
import { Call } from '../../../src/core/call.ts'
import { Cancellation } from '../../../src/core/cancellation.ts'

/** A call of a chat, as the door makes it. */
export const aCall = (): Call =>
  new Call({
    id: 'call-1',
    endpoint: chat,
    route: '/v1/chat/completions',
    request: {
      method: 'POST',
      path: '/v1/chat/completions',
      search: '',
      query: new URLSearchParams(),
      params: {},
      headers: new Headers(),
      body: new WholeBody(new TextEncoder().encode('{"model":"m","messages":[]}')),
    },
    cancellation: new Cancellation(),
    now: () => performance.now(),
    onListenerError: (error) => {
      throw error
    },
  })
