import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCli } from './cli.ts'

const FILES: Readonly<Record<string, unknown>> = {
  'old.json': {
    mode: 'loadbalance',
    options: [
      { provider: 'openai', virtual_key: 'main', retry: 3, trace_id: 't' },
      { provider: 'openai', apiKey: 'sk-secret', cache: 'simple', metadata: { token: 'sk-secret' } },
    ],
  },
  'new.json': { strategy: { mode: 'single' }, targets: [{ provider: 'openai' }] },
  'bad.json': { mode: 'scientist', options: [{ provider: 'openai' }] },
  'short.json': { options: [{ provider: 'a'.repeat(300), apiKey: 'k', cacheAge: 'x'.repeat(300) }] },
  'list.json': [],
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-migrate-'))
  await Promise.all(Object.entries(FILES).map(([name, value]) => Bun.write(join(folder, name), JSON.stringify(value))))
  await Bun.write(join(folder, 'text.json'), '{')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = async (
  ...args: string[]
): Promise<{ readonly code: number; readonly out: string; readonly error: string }> => {
  let out = ''
  let error = ''
  const code = await runCli({
    arguments: ['config', ...args],
    env: {},
    folder,
    out: async (text) => {
      out += text
    },
    error: (text) => {
      error += text
    },
    readInput: () => Promise.resolve(''),
    onSignal: () => undefined,
  })
  return { code, out, error }
}

describe('weir config migrate', () => {
  test('prints the config on one stream and what is different on the other, without keys', async () => {
    const { code, out, error } = await run('migrate', 'old.json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      strategy: { mode: 'loadbalance' },
      targets: [
        { virtual_key: 'main', retry: { attempts: 3 } },
        { provider: 'openai', api_key: 'sk-secret', cache: { mode: 'simple' } },
      ],
    })
    expect(error.split('\n')).toEqual([
      '~ mode: "loadbalance" -> strategy.mode: "loadbalance"',
      '- options[0].provider: "openai"',
      '~ options[0].retry: 3 -> targets[0].retry: {"attempts":3}',
      '- options[0].trace_id: "t"',
      '~ options[1].apiKey: … -> targets[1].api_key: …',
      '~ options[1].cache: "simple" -> targets[1].cache: {"mode":"simple"}',
      '- options[1].metadata: {"token":"…"}',
      '~ options -> targets',
      '',
    ])
  })

  test('leaves a config of version 2.0 as it is', async () => {
    const { code, out, error } = await run('migrate', join(folder, 'new.json'))
    expect([code, error]).toEqual([0, 'This is version 2.0 already.\n'])
    expect(JSON.parse(out)).toEqual(FILES['new.json'])
  })

  test('says what is added, and cuts what is long', async () => {
    const { code, error } = await run('migrate', 'short.json')
    expect(code).toBe(0)
    expect(error).toContain('+ strategy.mode: "single"\n')
    expect(error).toContain(`- options[0].cacheAge: "${'x'.repeat(119)}…\n`)
  })

  test('prints what would be refused too, and says why', async () => {
    const { code, out, error } = await run('migrate', 'bad.json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ strategy: { mode: 'scientist' } })
    expect(error).toEndWith('not valid: strategy.mode must be one of: single, loadbalance, fallback, conditional\n')
  })

  test.each(['none.json', 'text.json', 'list.json', '.'])('%s is no config', async (file) => {
    expect(await run('migrate', file)).toEqual({
      code: 1,
      out: '',
      error: `weir config: '${file}' is no file with a JSON object\n`,
    })
  })

  test('needs one file', async () => {
    for (const args of [['migrate'], ['migrate', 'old.json', 'new.json']]) {
      expect(await run(...args)).toEqual({
        code: 2,
        out: '',
        error: 'weir config: say which file: weir config migrate FILE\n',
      })
    }
    const { code, error } = await run('convert')
    expect(code).toBe(2)
    expect(error).toStartWith("weir: 'config' needs one of: migrate")
  })
})
