import { describe, expect, test } from 'bun:test'
import type { ConfigContent } from '../../store/objects/configs.ts'
import type { Db } from '../../store/types.ts'
import type { ConfigObject } from './config-tree.ts'
import { hideSecrets, protectSecrets, revealSecrets } from './secrets.ts'

const KEY = 'sk-0123456789abcdef0123456789abcdef'
const MASK = 'sk-*****def'
const OTHER_KEY = 'sk-9876543210abcdef0123456789abcxyz'

const owner = { organisationId: 'organisation', configId: 'config' }
const db = {} as Db

/** Seals by naming what is sealed; opens only what it sealed for the same place. */
const box = {
  seal: async (_db: Db, organisation: string, record: string, field: string, text: string) =>
    [organisation, record, field, text].join('|'),
  open(organisation: string, record: string, field: string, sealed: string) {
    const start = [organisation, record, field, ''].join('|')
    if (!sealed.startsWith(start)) throw new Error('it was sealed for another place')
    return sealed.slice(start.length)
  },
}

let ids = 0
const randomId = (): string => `id-${++ids}`

const protect = (config: ConfigObject, before?: ConfigContent): Promise<ConfigContent> =>
  protectSecrets(db, { secretBox: box, randomId }, owner, config, before)
const reveal = (content: ConfigContent): Promise<ConfigObject> => revealSecrets(box, owner, content)
const violations = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (thrown) => thrown.options.violations,
  )

const nested: ConfigObject = {
  strategy: { mode: 'fallback' },
  targets: [
    { provider: 'openai', api_key: KEY, virtual_key: 'no-secret' },
    {
      strategy: { mode: 'loadbalance' },
      targets: [
        { provider: 'aws', awsSecretAccessKey: OTHER_KEY, aws_region: 'eu' },
        { provider: 'oracle', oracle_key_passphrase: 'short' },
      ],
    },
    { provider: 'vertex', vertex_service_account_json: { private_key: 'p', project: 'x' } },
  ],
  override_params: { api_key: 'belongs to the provider' },
}

describe('protecting', () => {
  test('takes every secret out of every level, and nothing else', async () => {
    const content = await protect(nested)
    expect(content.config).toEqual({
      ...nested,
      targets: [
        { provider: 'openai', api_key: MASK, virtual_key: 'no-secret' },
        {
          strategy: { mode: 'loadbalance' },
          targets: [
            { provider: 'aws', awsSecretAccessKey: 'sk-*****xyz', aws_region: 'eu' },
            { provider: 'oracle', oracle_key_passphrase: '*****' },
          ],
        },
        { provider: 'vertex', vertex_service_account_json: '*****' },
      ],
    })
    expect(content.secrets.map(({ path }) => path)).toEqual([
      'targets[0].api_key',
      'targets[1].targets[0].awsSecretAccessKey',
      'targets[1].targets[1].oracle_key_passphrase',
      'targets[2].vertex_service_account_json',
    ])
    expect(new Set(content.secrets.map(({ field }) => field)).size).toBe(4)
  })

  test('and revealing gives what was given; a document as its text', async () => {
    const [, , vertex] = nested.targets as ConfigObject[]
    expect(await reveal(await protect(nested))).toEqual({
      ...nested,
      targets: [
        ...(nested.targets as ConfigObject[]).slice(0, 2),
        { ...vertex, vertex_service_account_json: '{"private_key":"p","project":"x"}' },
      ],
    })
  })

  test('binds a secret to its config', async () => {
    const content = await protect({ api_key: KEY, provider: 'openai' })
    const elsewhere = revealSecrets(box, { ...owner, configId: 'another' }, content)
    await expect(elsewhere).rejects.toThrow('another place')
  })
})

describe('hiding', () => {
  test('shows the masks that are stored, and makes one for a secret that was stored in clear', () => {
    const secrets = [{ path: 'api_key', field: 'f', sealed: 's' }]
    const config = { api_key: MASK, targets: [{ apiKey: KEY, provider: 'openai' }] }
    expect(hideSecrets({ config, secrets })).toEqual({
      api_key: MASK,
      targets: [{ apiKey: MASK, provider: 'openai' }],
    })
  })
})

describe('a mask that comes back', () => {
  const stored = protect({
    strategy: { mode: 'fallback' },
    targets: [
      { provider: 'openai', api_key: KEY, custom_host: 'https://one.example' },
      { provider: 'openai', api_key: OTHER_KEY },
    ],
  })
  const change = async (config: ConfigObject) => protect(config, await stored)
  const targets = (...given: ConfigObject[]): ConfigObject => ({ strategy: { mode: 'fallback' }, targets: given })

  test('stands for the secret of before, also at another place and under another spelling', async () => {
    const changed = await change(
      targets(
        { provider: 'openai', apiKey: 'sk-*****xyz', weight: 2 },
        {
          strategy: { mode: 'single' },
          targets: [{ provider: 'openai', api_key: MASK, customHost: 'https://one.example' }],
        },
        { provider: 'mistral-ai', api_key: 'sk-new-0123456789abcdef0123456789ab' },
      ),
    )
    expect(await reveal(changed)).toEqual(
      targets(
        { provider: 'openai', apiKey: OTHER_KEY, weight: 2 },
        {
          strategy: { mode: 'single' },
          targets: [{ provider: 'openai', api_key: KEY, customHost: 'https://one.example' }],
        },
        { provider: 'mistral-ai', api_key: 'sk-new-0123456789abcdef0123456789ab' },
      ),
    )
  })

  test('may come back version after version', async () => {
    const second = await change(targets({ provider: 'openai', api_key: 'sk-*****xyz' }))
    const third = await protect(targets({ name: 'x', provider: 'openai', api_key: 'sk-*****xyz' }), second)
    expect(await reveal(third)).toEqual(targets({ name: 'x', provider: 'openai', api_key: OTHER_KEY }))
  })

  const unclear = 'is masked, and it is not plain which secret it stands for: send the secret'
  const moved = 'must be given again, not masked, together with another provider or host'

  test.each<[string, ConfigObject, string, string]>([
    ['in a flat config without that host', { provider: 'openai', api_key: MASK }, 'api_key', moved],
    ['that was never shown', { provider: 'openai', api_key: 'sk-*****ghi' }, 'api_key', unclear],
    [
      'to another host',
      targets({ provider: 'openai', api_key: MASK, custom_host: 'https://two.example' }),
      'targets[0].api_key',
      moved,
    ],
    ['to the host of the provider', targets({ provider: 'openai', api_key: MASK }), 'targets[0].api_key', moved],
    [
      'to a host that it inherits',
      { custom_host: 'https://two.example', ...targets({}, { provider: 'openai', api_key: 'sk-*****xyz' }) },
      'targets[1].api_key',
      moved,
    ],
    [
      'to another host below it',
      { provider: 'openai', api_key: 'sk-*****xyz', ...targets({}, { custom_host: 'https://two.example' }) },
      'api_key',
      moved,
    ],
    [
      'to another provider',
      targets({}, { provider: 'mistral-ai', api_key: 'sk-*****xyz' }),
      'targets[1].api_key',
      moved,
    ],
    [
      'to another resource',
      targets({}, { provider: 'openai', api_key: 'sk-*****xyz', resourceName: 'mine' }),
      'targets[1].api_key',
      moved,
    ],
    [
      'to a provider that the model names',
      targets({}, { provider: 'openai', api_key: 'sk-*****xyz', override_params: { model: '@mine/x' } }),
      'targets[1].api_key',
      moved,
    ],
  ])('is refused %s', async (_, config, path, message) => {
    expect(await violations(change(config))).toEqual([{ path: `config.${path}`, message }])
  })

  test('is refused where there was nothing before', async () => {
    expect(await violations(protect({ provider: 'openai', api_key: MASK }))).toEqual([
      { path: 'config.api_key', message: unclear },
    ])
  })

  test('of two that look the same stands for the one in its place, and for none elsewhere', async () => {
    const twins = await protect(targets({ provider: 'a', api_key: 'short-1' }, { provider: 'a', api_key: 'short-2' }))
    const kept = await protect(targets({ provider: 'a', api_key: '*****' }, { provider: 'a', api_key: '*****' }), twins)
    expect(await reveal(kept)).toEqual(
      targets({ provider: 'a', api_key: 'short-1' }, { provider: 'a', api_key: 'short-2' }),
    )
    const third = targets({ provider: 'a' }, { provider: 'a' }, { provider: 'a', api_key: '*****' })
    expect(await violations(protect(third, twins))).toEqual([{ path: 'config.targets[2].api_key', message: unclear }])
  })
})

describe('headers of checks that a config writes out', () => {
  const TOKEN = 'Bearer 0123456789abcdefghijklmnop'
  const HOOK = { webhookURL: 'https://hook.example/a', headers: { authorization: TOKEN, 'x.team': 'blue' } }
  const guarded: ConfigObject = {
    provider: 'openai',
    inputGuardrails: ['pg-saved', { 'default.webhook': HOOK, deny: true }],
    targets: [
      {
        after_request_hooks: [
          { id: 'h', checks: [{ id: 'default.notNull' }, { id: 'default.log', parameters: HOOK }] },
        ],
      },
      { output_mutators: [{ webhook: { ...HOOK, headers: JSON.stringify(HOOK.headers) } }] },
    ],
  }
  const hidden = { ...HOOK, headers: { authorization: 'Bea*****nop', 'x.team': '*****' } }

  test('are sealed in each form of a guardrail, and revealed where they stood', async () => {
    const content = await protect(guarded)
    expect(content.config).toEqual({
      ...guarded,
      inputGuardrails: ['pg-saved', { 'default.webhook': hidden, deny: true }],
      targets: [
        {
          after_request_hooks: [
            { id: 'h', checks: [{ id: 'default.notNull' }, { id: 'default.log', parameters: hidden }] },
          ],
        },
        { output_mutators: [{ webhook: { ...HOOK, headers: '*****' } }] },
      ],
    })
    expect(await reveal(content)).toEqual(guarded)
    expect(hideSecrets({ config: guarded, secrets: [] })).toEqual(content.config)
  })

  test('stay what they are behind their masks, and are not sent elsewhere', async () => {
    const stored = await protect(guarded)
    expect(await reveal(await protect(stored.config, stored))).toEqual(guarded)
    const moved = { input_guardrails: [{ webhook: { ...hidden, webhookURL: 'https://mine.example/a' } }] }
    expect(await violations(protect(moved, stored))).toEqual([
      {
        path: 'config.input_guardrails[0].webhook.headers.authorization',
        message: expect.stringContaining('is masked'),
      },
    ])
    const only = await protect({ input_guardrails: [{ webhook: HOOK }] })
    expect(await violations(protect(moved, only))).toEqual([
      {
        path: 'config.input_guardrails[0].webhook.headers.authorization',
        message: expect.stringContaining('must be given again'),
      },
    ])
    const respelt = { before_request_hooks: [{ checks: [{ id: 'default.webhook', parameters: hidden }] }] }
    expect(await reveal(await protect(respelt, only))).toEqual({
      before_request_hooks: [{ checks: [{ id: 'default.webhook', parameters: HOOK }] }],
    })
  })
})
