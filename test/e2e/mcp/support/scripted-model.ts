type Fields = Readonly<Record<string, unknown>>

/** What a scripted model says in one turn: words, or calls of tools. */
export type Line =
  | string
  | { readonly calls: readonly (readonly [name: string, args: object])[]; readonly words?: string }
  | { readonly status: number }
  | 'dies'

/** A provider of chats in OpenAI's form that says what it was told to, turn by turn. */
export interface ScriptedModel {
  readonly baseURL: string
  /** What it says from now on, one line a call. */
  say(...lines: readonly Line[]): void
  /** Bodies that it got since. */
  readonly asked: Fields[]
  close(): Promise<void>
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

export const startScriptedModel = (): ScriptedModel => {
  let script: Line[] = []
  let number = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = (await request.json()) as Fields
      model.asked.push(body)
      const line = script.shift() ?? 'nothing more to say'
      if (typeof line === 'object' && 'status' in line) {
        return Response.json({ error: { message: 'the model is busy', type: 'server_error' } }, { status: line.status })
      }
      return body.stream === true ? streamed(line, ++number) : whole(line, ++number)
    },
  })
  const model: ScriptedModel = {
    baseURL: `http://127.0.0.1:${server.port}/v1`,
    say(...lines) {
      script = [...lines]
      model.asked.length = 0
    },
    asked: [],
    close: () => server.stop(true),
  }
  return model
}

const linesOf = (line: Exclude<Line, { readonly status: number }>) =>
  typeof line === 'string' ? { words: line, calls: [] } : { words: line.words ?? '', calls: line.calls }

const toolCalls = (calls: readonly (readonly [string, object])[], number: number) =>
  calls.map(([name, args], index) => ({
    ...{ id: `call_${number}_${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(args) },
  }))

const whole = (line: Exclude<Line, { readonly status: number }>, number: number): Response => {
  const { words, calls } = linesOf(line)
  const called = calls.length === 0 ? {} : { tool_calls: toolCalls(calls, number) }
  const message = { role: 'assistant', content: words === '' ? null : words, ...called }
  const finish = calls.length === 0 ? 'stop' : 'tool_calls'
  return Response.json({
    ...{ id: `chatcmpl-${number}`, object: 'chat.completion', created: 1, model: 'scripted', usage: USAGE },
    choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
  })
}

const streamed = (line: Exclude<Line, { readonly status: number }>, number: number): Response => {
  const { words, calls } = linesOf(line)
  const chunk = (fields: object): string =>
    `data: ${JSON.stringify({ id: `chatcmpl-${number}`, object: 'chat.completion.chunk', created: 1, model: 'scripted', ...fields })}\n\n`
  const delta = (said: object, finish: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta: said, finish_reason: finish }] })
  const pieces = [delta({ role: 'assistant', content: '' })]
  for (const word of words.match(/\S+\s*/g) ?? []) pieces.push(delta({ content: word }))
  for (const [index, { id, function: said }] of toolCalls(calls, number).entries()) {
    pieces.push(delta({ tool_calls: [{ index, id, type: 'function', function: { name: said.name, arguments: '' } }] }))
    // In two pieces, as providers send them.
    const middle = Math.ceil(said.arguments.length / 2)
    for (const part of [said.arguments.slice(0, middle), said.arguments.slice(middle)]) {
      pieces.push(delta({ tool_calls: [{ index, function: { arguments: part } }] }))
    }
  }
  if (line !== 'dies') {
    pieces.push(delta({}, calls.length === 0 ? 'stop' : 'tool_calls'))
    pieces.push(chunk({ choices: [], usage: USAGE }), 'data: [DONE]\n\n')
  }
  const encoder = new TextEncoder()
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces[sent++]
      if (piece !== undefined) controller.enqueue(encoder.encode(piece))
      else if (line === 'dies') controller.error(new Error('the model dies'))
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
