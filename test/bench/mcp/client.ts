/** `client.ts URL KEY calls CONNECTIONS SECONDS` or `client.ts URL KEY sessions COUNT`: prints what came of it as a line of JSON. */
const [url = '', key = '', kind, ...numbers] = process.argv.slice(2)
const headers = {
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

const post = (message: object, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })

const call = { id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x'.repeat(1_000) } } }

const callOnce = async (): Promise<void> => {
  const response = await post(call)
  const text = await response.text()
  if (response.status !== 200 || !text.includes('xxxx')) throw new Error(`${response.status}: ${text}`)
}

const calls = async (connections = 1, seconds = 5): Promise<object> => {
  const took: number[] = []
  const until = performance.now() + seconds * 1_000
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const before = performance.now()
      await callOnce()
      took.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  took.sort((one, other) => one - other)
  return { calls: took.length, p50Ms: took[took.length >> 1], p99Ms: took[Math.floor(took.length * 0.99)] }
}

const hello = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
}

/** Begins a session, and listens. */
const open = async (): Promise<void> => {
  const begun = await post(hello)
  await begun.text()
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  await (await post({ method: 'notifications/initialized' }, session)).text()
  const stream = await fetch(url, { headers: { ...headers, ...session } })
  if (stream.status !== 200) throw new Error(`listening: ${stream.status}`)
  void stream.body?.getReader().read()
}

if (kind === 'calls') process.stdout.write(`${JSON.stringify(await calls(...numbers.map(Number)))}\n`)
else {
  const count = Number(numbers[0])
  for (let done = 0; done < count; done += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - done) }, open))
  process.stdout.write(`${JSON.stringify({ sessions: count })}\n`)
  // They stay open until nobody wants to know any more.
  for await (const _ of Bun.stdin.stream()) break
}
process.exit(0)

export {}
