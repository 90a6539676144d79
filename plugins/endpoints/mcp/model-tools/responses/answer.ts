import { fromGenerator } from '#core/bodies/ready-stream'
import { type Answer, type Call, UpstreamInvalid } from '#kit'
import { readAskedTools } from '../asked.ts'
import type { ToolLoop } from '../loop.ts'
import { addUsage, answerHeaders, handOn, type Turn } from '../turns.ts'
import { listedIn, toInput } from './input.ts'
import { listItem, toOurs } from './items.ts'
import { eventsOf } from './stream.ts'
import { ask, goOn, merged, outputOf, type ResponsesWork, runnable, shownOf } from './work.ts'

/** A response whose model uses tools of MCP servers, which run here. */
export const answerResponses = async (loop: ToolLoop, call: Call): Promise<Answer> => {
  const { params } = call
  const asked = readAskedTools(params.tools as readonly unknown[], true)
  const offers = await loop.offers.of(call, asked.servers)
  const shown = listedIn(params.input)
  const work: ResponsesWork = {
    ...{ loop, call, params, asked, offers },
    input: [...(await toInput(loop, call, params.input, offers))],
    output: asked.servers
      .filter(({ label }) => !shown.has(label))
      .map(({ label }) => listItem(`mcpl_${loop.host.randomId()}`, label, offers)),
    calls: 0,
    usage: undefined,
  }
  const first = await ask(work, 1)
  if (first.kind === 'refused') return handOn(first.response)
  if (first.kind === 'events') {
    return {
      status: 200,
      headers: answerHeaders(first.response),
      body: fromGenerator(eventsOf(work, first)),
      verbatim: true,
    }
  }
  return wholeAnswer(work, first)
}

const wholeAnswer = async (work: ResponsesWork, first: Turn): Promise<Answer> => {
  let turn = first
  for (let number = 1; ; number++) {
    if (turn.kind === 'refused') return handOn(turn.response)
    if (turn.kind === 'events') throw new UpstreamInvalid('The model answered with events that nobody asked for.')
    work.usage = addUsage(work.usage, turn.fields.usage)
    const output = outputOf(turn.fields)
    const calls = runnable(work, output, number)
    if (calls === undefined) {
      work.output.push(...output.map((item) => shownOf(work, item)))
      const body = Buffer.from(JSON.stringify(merged(work, turn.fields)))
      return { status: 200, headers: answerHeaders(turn.response), body }
    }
    work.output.push(...output.filter((item) => toOurs(item, work.offers) === undefined))
    work.output.push(...(await goOn(work, output, calls)))
    turn = await ask(work, number + 1)
  }
}
