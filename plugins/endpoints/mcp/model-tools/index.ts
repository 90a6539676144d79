import { InvalidRequest, type Stage } from '#kit'
import { asksForServers } from './asked.ts'
import { answerChat } from './chat/answer.ts'
import type { ToolLoop } from './loop.ts'
import { OfferLists } from './offers.ts'
import { answerResponses } from './responses/answer.ts'

/** Where the body says all that another turn needs. */
const ROUTES = /\/(?:chat\/completions|responses)$/

const notHere = (): InvalidRequest =>
  new InvalidRequest('Tools of MCP servers are used at `/v1/chat/completions` and `/v1/responses`.', { param: 'tools' })

/** Models with the tools of MCP servers: a call names servers of the workspace, and what its model asks of them is done here. */
export const modelTools = (host: ToolLoop['host'], maxTurns: number): Stage => {
  const loop: ToolLoop = { host, offers: new OfferLists(host), maxTurns }
  return {
    name: 'mcp-tools',
    endpoints: ['chat', 'responses'],
    run(call, next) {
      const { params } = call
      // A prompt that is called by its id has its messages elsewhere.
      if (!asksForServers(params.tools) || (params.messages === undefined && params.input === undefined)) return next()
      if (!ROUTES.test(call.route)) throw notHere()
      return call.endpoint.id === 'chat' ? answerChat(loop, call) : answerResponses(loop, call)
    },
  }
}
