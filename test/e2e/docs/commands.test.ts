import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { type RunningGateway, startCommand } from '../../support/command.ts'
import { type PrivateDatabase, privateDatabase, testPython } from '../../support/services.ts'
import { type Everything, startEverything } from '../mcp/support/house.ts'
import { pageOf, ROOT, tableUnder } from './pages.ts'
import { blocksOfKind, COMPLETION, CONVERSED, type Folder, GENERATED, operatorFolder, READER_ENV } from './workspace.ts'

/** Where the pages say that the gateway is. */
const WRITTEN_URL = 'http://127.0.0.1:8787'
/** Where the pages say that an MCP server is. */
const WRITTEN_MCP_URL = 'https://tracker.example.com/mcp'
const MAIN = new URL('src/main.ts', ROOT).pathname
/** Every model that the pages name. */
const ALLOWED_MODELS = [
  'mock',
  'mock-json',
  'mock:tokens=20,interval=5',
  'gpt-5-mini',
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'acme-1',
  'gemini-2.5-flash',
  '@cf/meta/llama-3.1-8b-instruct',
  'mock-rerank',
  'mock-ocr',
  'mock-image',
  'mock-speech',
  'mock-transcribe',
  'mock-realtime',
]

let upstream: MockServer
let mcpServer: Everything
let gateway: RunningGateway
/** Of the gateway, and of the reader's commands, which work beside it. */
let database: PrivateDatabase
let folder: Folder
let reader: Folder

/** A text of a page, about the gateway that runs. */
const aboutOurs = (text: string): string =>
  text
    .replaceAll(WRITTEN_MCP_URL, mcpServer.http)
    .replaceAll(WRITTEN_URL, gateway.url)
    .replaceAll(WRITTEN_URL.replace('http', 'ws'), gateway.url.replace('http', 'ws'))

/** Providers of a form of their own are told by their paths. */
const answerAt = (path: string): object => {
  if (path.endsWith('/converse')) return CONVERSED
  return path.endsWith(':generateContent') ? GENERATED : COMPLETION
}

beforeAll(async () => {
  database = await privateDatabase()
  mcpServer = await startEverything()
  upstream = await startMockServer({
    answer: ({ path }) => jsonPlan(200, answerAt(path)),
  })
  folder = operatorFolder(
    'weir.config.json',
    JSON.stringify({
      secrets: { environment: ['PROVIDER_*'] },
      plugins: [
        'defaults',
        'mock',
        { openai: { baseURL: `${upstream.url}/v1` } },
        { 'azure-openai': { baseURL: upstream.url } },
        { bedrock: { baseURL: upstream.url } },
        { 'workers-ai': { baseURL: `${upstream.url}/ai/v1` } },
        { google: { baseURL: `${upstream.url}/v1beta`, apiKey: 'operator-google-key' } },
        { use: './acme.ts', with: { baseURL: `${upstream.url}/v1`, apiKey: 'operator-acme-key' } },
        './opentelemetry.ts',
        './summaries.ts',
        './answer-sizes.ts',
        './no-shouting.ts',
        { use: './allowed-models.ts', with: { models: ALLOWED_MODELS } },
      ],
    }),
  )
  const readme = pageOf('README.md').blocks.find(({ kind }) => kind === 'yaml')
  reader = operatorFolder('weir.config.yaml', readme?.text ?? '')
  gateway = await startCommand({
    folder: folder.path,
    env: {
      ...READER_ENV,
      DATABASE_URL: database.url,
      PORT: '0',
      WEIR_TRUSTED_HOSTS: '127.0.0.1',
      WEIR_HEADER_PREFIXES: 'x-portkey-',
      PROVIDER_OPENAI_KEY: 'sk-of-the-variable',
    },
  })
}, 60_000)

afterAll(async () => {
  await gateway?.stop('SIGKILL')
  await upstream?.close()
  await mcpServer?.close()
  await database?.drop()
  folder?.remove()
  reader?.remove()
})

const readerEnv = () => ({
  ...READER_ENV,
  DATABASE_URL: database.url,
  PATH: process.env.PATH ?? '',
  HOME: reader.path,
  BUN: process.execPath,
  MAIN,
})

/** Puts the status after each answer, and lets `weir` be this very Weir. */
const PRELUDE = `set -eu
weir() { "$BUN" "$MAIN" "$@"; }
curl() { command curl --max-time 20 -w '\\n<status %{http_code}>\\n' "$@"; }
`

const run = async (
  command: readonly string[],
  input?: string,
): Promise<{ code: number; out: string; error: string }> => {
  const child = Bun.spawn([...command], {
    cwd: reader.path,
    env: readerEnv(),
    stdin: input === undefined ? 'ignore' : new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, error }
}

/** Blocks that run at once: many start processes of their own, and more would starve the gateway that they call. */
const AT_ONCE = 4
const turns: Promise<void>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve())
let nextTurn = 0

/** What a client of the pages prints. */
const answerTo = (text: string): string => {
  if (text.includes('/mcp/')) return JSON.stringify([{ type: 'text', text: 'Echo: Hello' }])
  return text.includes('hello.txt') ? 'Hello' : 'Mock answer to: Hello'
}

/** Runs a block when it is its turn. */
const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const place = nextTurn++ % AT_ONCE
  const result = (turns[place] ?? Promise.resolve()).then(work)
  turns[place] = result.then(
    () => undefined,
    () => undefined,
  )
  return result
}

describe('what a reader types', () => {
  const blocks = blocksOfKind('sh').map(({ place, note, text }) => [place, note, text] as const)

  test.concurrent.each(blocks)(
    '%s runs',
    async (_, note, text) => {
      const { code, out, error } = await inTurn(() => run(['bash'], PRELUDE + aboutOurs(text)))
      expect(error).toBe('')
      expect(code).toBe(0)
      const calls = text.match(/^curl /gm)?.length ?? 0
      const wanted = note.startsWith('status=') ? note.slice('status='.length).split(',') : Array(calls).fill('200')
      expect(
        [...out.matchAll(/<status (\d+)>/g)].map(([, status]) => status),
        out,
      ).toEqual(wanted)
    },
    // Its turn may come late.
    120_000,
  )

  test('the first call of the README is the one that the start prints', async () => {
    const banner = await Bun.file(new URL('src/cli/terminal/banner.ts', ROOT)).text()
    const [printed = ''] = /curl -s .*(?=`,)/.exec(banner) ?? []
    const line = printed.replace('${url}${basePath}', WRITTEN_URL).replace('${key}', '$WEIR_API_KEY')
    expect(pageOf('README.md').text).toContain(`\n${line}\n`)
  })

  test.each(
    blocksOfKind('ts')
      .filter(({ note }) => note === 'client')
      .map(({ place, text }) => [place, text]),
  )(
    '%s gets an answer',
    async (_, text) => {
      const file = reader.write('client.ts', aboutOurs(text))
      const { code, out, error } = await run([process.execPath, file])
      expect(error).toBe('')
      expect(out).toBe(answerTo(text))
      expect(code).toBe(0)
    },
    30_000,
  )

  test.concurrent.each(blocksOfKind('python').map(({ place, text }) => [place, text]))(
    '%s prints an answer',
    async (_, text) => {
      const { code, out, error } = await inTurn(() => run([testPython(), '-c', aboutOurs(text)]))
      expect(error).toBe('')
      expect(out.trim()).toBe(text.includes('genai') ? 'Hi' : 'Mock answer to: Hello')
      expect(code).toBe(0)
    },
    120_000,
  )

  test('the commands are those that the help lists', async () => {
    const { out } = await run([process.execPath, MAIN, '--help'])
    const rows = [...out.matchAll(/^ {2}([a-z][a-z|-]*(?: [a-z|]+)?) {2,}(.+)$/gm)].map(([, name, about]) => [
      `\`weir ${name}\``,
      about ?? '',
    ])
    expect(rows.length).toBeGreaterThan(9)
    expect(tableUnder('docs/operations.md', 'The command')).toEqual(rows)
  }, 30_000)
})

const chat = (headers: Record<string, string>, body: Record<string, unknown>): Promise<Response> =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${READER_ENV.WEIR_API_KEY}`, ...headers },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
  })

describe('the plugins that the pages show', () => {
  test('the provider of the README answers calls, with its parameters adapted', async () => {
    const asked = { model: 'acme-1', max_completion_tokens: 5, temperature: 2, logit_bias: { '1': 1 } }
    const reply = await chat({ 'x-gateway-provider': 'acme' }, asked)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-gateway-dropped-params')).toBe('logit_bias')
    expect(await reply.json()).toEqual(COMPLETION)
    const sent = upstream.requests.find(({ headers }) => headers.get('authorization') === 'Bearer operator-acme-key')
    expect(sent?.path).toBe('/v1/chat/completions')
    const body: unknown = JSON.parse(new TextDecoder().decode(sent?.body))
    expect(body).toMatchObject({ model: 'acme-1', max_tokens: 5, temperature: 1 })
    expect(body).not.toHaveProperty('logit_bias')
  })

  test('the stage refuses the models that its settings do not list', async () => {
    const reply = await chat({ 'x-gateway-provider': 'mock' }, { model: 'mock-vision' })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ error: { param: 'model', code: 'invalid_request' } })
  })

  test('the stage over streams tells how long they were', async () => {
    const reply = await chat({ 'x-gateway-provider': 'mock' }, { model: 'mock', stream: true })
    const { length } = await reply.bytes()
    const call = reply.headers.get('x-gateway-request-id')
    await gateway.seen(new RegExp(`"message":"a stream came to its end","call":"${call}","bytes":${length}\\b`))
  })

  test('the tracing plugin gives both spans of a call to its exporter', async () => {
    expect((await chat({ 'x-gateway-provider': 'mock' }, { model: 'mock' })).status).toBe(200)
    const { code, stdout } = await gateway.stop()
    expect(code).toBe(0)
    expect(stdout).toContain('name: "POST /v1/chat/completions"')
    expect(stdout).toContain('"gen_ai.request.model": "mock"')
    expect(stdout).toContain('"type":"call"')
  })
})
