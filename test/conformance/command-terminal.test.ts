import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A first start makes a database. */
setDefaultTimeout(90_000)

const MAIN = join(import.meta.dir, '..', '..', 'src', 'main.ts')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-terminal-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A start on a terminal of its own. */
const startOnTerminal = (env: Record<string, string> = {}) => {
  let text = ''
  const decoder = new TextDecoder()
  const child = Bun.spawn([process.execPath, MAIN, 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    terminal: {
      cols: 500,
      data: (_terminal, bytes) => {
        text += decoder.decode(bytes, { stream: true })
      },
    },
  })
  const seen = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const match = pattern.exec(text)
      if (match !== null) return match[1] ?? match[0]
      if (child.exitCode !== null) throw new Error(`ended before ${pattern} was seen:\n${text}`)
      await Bun.sleep(20)
    }
  }
  return {
    seen,
    text: () => text,
    async stop() {
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
      child.terminal?.close()
    },
  }
}

test('a person sees the keys, colours and lines to read; a later start shows no key, and NO_COLOR is heeded', async () => {
  const first = startOnTerminal()
  await first.seen(/making the embedded database: a first start takes some seconds/)
  const url = await first.seen(/(http:\/\/127\.0\.0\.1:\d+)/)
  const key = await first.seen(/API key {3}\(model calls\) {2}\S*(weir_[0-9A-Za-z]{12}_[0-9A-Za-z]{43})/)
  await first.seen(/admin key \(management\) {3}\S*weir_/)
  expect(first.text()).toContain(`\u{1b}[33m${key}\u{1b}[0m`)
  expect(existsSync(join(folder, '.weir', 'first-keys.env'))).toBe(false)

  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'x-gateway-provider': 'mock' },
    body: '{"model":"mo\\u001b[31mck","messages":[{"role":"user","content":"Hello"}]}',
  })
  await answer.text()
  const line = await first.seen(/^(.*POST \/v1\/chat\/completions.*)$/m)
  expect(line).toContain('mock/mo\u{fffd}[31mck')
  expect(first.text().indexOf(line)).toBeGreaterThan(first.text().indexOf('Try it:'))
  expect(first.text()).not.toContain('{"time"')
  await first.stop()

  const later = startOnTerminal({ NO_COLOR: '1' })
  await later.seen(/is listening on/)
  await later.seen(/info {2}chain stages=/)
  await later.stop()
  for (const absent of ['weir_', '\u{1b}[']) expect(later.text()).not.toContain(absent)
})
