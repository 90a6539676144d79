import { afterEach, expect, test } from 'bun:test'
import { temporaryFolder, until } from '../store/testing.ts'
import { logsCommand } from './logs.ts'

const folder = temporaryFolder()
const KEY = 'a-key-of-the-organisation'
const row = (id: number, changes: object = {}) => ({
  id: `id-${id}`,
  created_at: `2026-11-22T18:00:0${id}.000000Z`,
  response_status_code: 200,
  is_success: 1,
  method: 'POST',
  path: '/v1/chat/completions',
  ai_org: 'openai',
  ai_model: 'gpt',
  response_time: 12.4,
  total_units: 15,
  cost: 1.23456,
  outcome: 'completed',
  error_message: null,
  ...changes,
})

type Answer = (url: URL) => Response | Promise<Response>
let server: Bun.Server<undefined> | undefined
afterEach(async () => {
  await server?.stop(true)
  server = undefined
})

/** Runs the command against a gateway that answers so. */
const run = async (
  answer: Answer,
  args: readonly string[],
  more: { env?: object; stopWhen?: (out: string) => boolean } = {},
) => {
  server = Bun.serve({
    port: 0,
    fetch: (request) =>
      request.headers.get('authorization') === `Bearer ${KEY}`
        ? answer(new URL(request.url))
        : Response.json({ error: { message: 'The token is not known here.' } }, { status: 401 }),
  })
  let [out, error] = ['', '']
  const stops: (() => void)[] = []
  const environment = {
    arguments: [],
    env: { WEIR_ADMIN_KEY: KEY, PORT: String(server.port), ...more.env },
    folder: folder.path,
    out: async (text: string) => {
      out += text
    },
    readInput: async () => '',
    error: (text: string) => {
      error += text
    },
    onSignal: (_name: string, listener: () => void) => void stops.push(listener),
  }
  const running = logsCommand(environment, undefined, args)
  if (more.stopWhen !== undefined) {
    await until(() => more.stopWhen?.(out) === true)
    for (const stop of stops) stop()
  }
  return { code: await running, out, error }
}

const list = (...rows: readonly object[]): Response => Response.json({ object: 'list', data: rows })

test('prints the newest calls, the oldest of them first, and nothing that steers a terminal', async () => {
  const seen: string[] = []
  const answer: Answer = ({ pathname, searchParams }) => {
    seen.push(`${pathname} ${searchParams}`)
    const failed = {
      response_status_code: 500,
      is_success: 0,
      outcome: 'failed',
      error_message: 'no\u001b[31m',
      cost: null,
    }
    return list(row(2, { ...failed, unpriced: true }), row(1))
  }
  const { code, out } = await run(answer, ['--limit', '2', '--filter', 'status_code=500', '--filter', 'user=a=b'])
  expect(code).toBe(0)
  expect(seen).toEqual(['/v2/logs status_code=500&user=a%3Db&limit=2'])
  expect(out.split('\n')).toEqual([
    '2026-11-22 18:00:01.000  200  POST /v1/chat/completions  openai/gpt  12 ms  15 tokens  1.235 ¢  id-1',
    '2026-11-22 18:00:02.000  500  POST /v1/chat/completions  openai/gpt  12 ms  15 tokens  ? ¢  failed  no\ufffd[31m  id-2',
    '',
  ])
})

test('follows, connects again, and shows what it missed, each call once', async () => {
  let streams = 0
  const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
  const answer: Answer = ({ pathname, searchParams }) => {
    if (pathname === '/v2/logs') {
      const since = searchParams.get('time_of_generation_min')
      return since === null ? list(row(1)) : list(row(4), row(3), row(2))
    }
    streams++
    const events = [event('ready', {}), ': keep-alive\n\n', event('log', row(streams === 1 ? 2 : 5))]
    return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
  }
  const { code, out } = await run(answer, ['--follow', '--json'], { stopWhen: (text) => text.includes('id-5') })
  expect(code).toBe(0)
  const ids = out
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { id: string }).id)
  expect(ids).toEqual(['id-1', 'id-2', 'id-3', 'id-4', 'id-5'])
})

test('takes the admin key of the first start before a key that may only call models', async () => {
  const env = { WEIR_ADMIN_KEY: '', WEIR_API_KEY: 'calls-models' }
  expect((await run(() => list(), [], { env })).error).toContain('not known here')
  await server?.stop(true)
  const file = `${folder.path}/.weir/first-keys.env`
  await Bun.write(file, `WEIR_ADMIN_KEY=${KEY}\nWEIR_API_KEY=calls-models\n`)
  expect(await run(() => list(), [], { env })).toEqual({ code: 0, out: '', error: '' })
  await Bun.file(file).delete()
})

test('says what is wrong in a line', async () => {
  const refuse: Answer = () => Response.json({ error: { message: '`colour` is unknown' } }, { status: 400 })
  expect(await run(refuse, ['--filter', 'colour=blue'])).toEqual({
    code: 1,
    out: '',
    error: 'weir logs: `colour` is unknown\n',
  })
  await server?.stop(true)
  expect((await run(() => list(), ['--key', 'another'])).error).toBe('weir logs: The token is not known here.\n')
  await server?.stop(true)
  const without = await run(() => list(), [], { env: { WEIR_ADMIN_KEY: '' } })
  expect([without.code, without.error]).toEqual([1, expect.stringContaining('WEIR_ADMIN_KEY')])
  await server?.stop(true)
  const away = await run(() => list(), ['--url', 'http://127.0.0.1:1'])
  expect(away).toEqual({ code: 1, out: '', error: 'weir logs: no answer from http://127.0.0.1:1\n' })
})

test.each(['--limit 0', '--limit 501', '--filter x', 'extra', '--nothing'])('wrong usage is told: %s', async (args) => {
  const { code, error } = await run(() => list(), args.split(' '))
  expect(code).toBe(2)
  expect(error).toContain('Usage: weir logs')
})
