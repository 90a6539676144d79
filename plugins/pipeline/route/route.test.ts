import { describe, expect, test } from 'bun:test'
import { type DryRun, dryRun } from '#calls/slots'
import { type Call, type Next, type Stage, StoredProviderExpired, UnknownProvider } from '#kit'
import type { Leaf } from '#kit/plan'
import { callConfig, principal, type Target } from '#kit/slots'
import { fakeHost, setUp } from '#kit/testing'
import { createCall, createWorld, failing, planOf, targetOf } from '../../../test/support/routing.ts'
import route from './index.ts'

const PRINCIPAL = {
  keyId: 'key-1',
  keyName: 'key',
  kind: 'workspace-service',
  organisationId: 'organisation-1',
  scopes: new Set<string>(),
} as const

/** The stage as the plugin brings it, with what the call would ask. */
const stageOf = async (settings: Record<string, unknown> = {}, host = fakeHost()): Promise<Stage> => {
  const { parts } = await setUp(route, settings, host)
  const stage = parts.stages?.[0]
  if (stage === undefined) throw new Error('no stage')
  return stage
}

const callFor = (config: Record<string, unknown>, more = {}): Call => {
  const call = createCall(createWorld(), '{}')
  call.enter(0, true)
  call.set(principal, PRINCIPAL)
  call.set(callConfig, { plan: planOf(config), bind: targetOf, metadata: {}, ...more })
  return call
}

const never: Next = () => Promise.reject(new Error('nothing may be asked'))

describe('the stage', () => {
  test('retries with the settings of the operator', async () => {
    let asked = 0
    const failed: Next = async (fork) => {
      fork?.markProviderReached()
      asked++
      throw failing(503)
    }
    const stage = await stageOf({ retryBaseMs: 0, maxAttempts: 2 })
    const call = callFor({ provider: 'a', retry: { attempts: 5 } })
    await expect(stage.run(call, failed)).rejects.toMatchObject({ status: 503 })
    expect(asked).toBe(2)
  })
})

describe('a dry run', () => {
  const explained = async (config: Record<string, unknown>, more = {}, host = fakeHost()) => {
    const call = callFor(config, more)
    const state: DryRun = {}
    call.set(dryRun, state)
    const stage = await stageOf({}, host)
    const answer = await stage.run(call, never).catch((thrown: unknown) => thrown)
    return { route: state.route, answer }
  }

  test('says where a call would go and why, and sends nothing', async () => {
    const { route: explanation, answer } = await explained({
      strategy: { mode: 'fallback' },
      targets: [
        {
          strategy: { mode: 'loadbalance' },
          targets: [
            { provider: 'a', weight: 0 },
            { provider: 'b', weight: 2, override_params: { model: 'm' } },
          ],
        },
        { provider: 'c' },
      ],
    })
    expect(explanation).toEqual({
      steps: [
        { path: 'config', mode: 'fallback', decision: 'config.targets[0]', reason: 'It is the first target.' },
        {
          path: 'config.targets[0]',
          mode: 'loadbalance',
          decision: 'config.targets[0].targets[1]',
          reason: 'Chosen by chance: 100 % of calls go to it.',
        },
        {
          path: 'config.targets[0].targets[1]',
          mode: 'target',
          decision: 'chosen',
          reason: 'The call is sent here first.',
        },
      ],
      chosen: {
        path: 'config.targets[0].targets[1]',
        provider: 'b',
        model: 'm',
        firstToken: { limitMs: 15_000, answers: 0, thinks: false },
      },
    })
    expect(answer).toMatchObject({ status: 200 })
  })

  test('says what is left alone', async () => {
    const host = fakeHost()
    host.flags.raise('breaker:version-1:config.targets[0]', 30_000)
    const config = { strategy: { mode: 'fallback' }, targets: [{ provider: 'a' }, { provider: 'b' }] }
    const { route: explanation } = await explained(config, { versionId: 'version-1' }, host)
    expect(explanation).toMatchObject({
      steps: [
        { path: 'config.targets[0]', mode: 'target', decision: 'skipped' },
        { path: 'config', decision: 'config.targets[1]' },
        { path: 'config.targets[1]', decision: 'chosen' },
      ],
      chosen: { provider: 'b' },
    })
  })

  test('says which stored provider is passed over', async () => {
    const bind = (leaf: Leaf): Target => {
      if (leaf.provider === 'a') throw new StoredProviderExpired('It has expired.', { param: '@a' })
      return targetOf(leaf)
    }
    const config = { strategy: { mode: 'fallback' }, targets: [{ provider: 'a' }, { provider: 'b' }] }
    const { route: explanation } = await explained(config, { bind })
    expect(explanation).toMatchObject({
      steps: [
        { path: 'config', decision: 'config.targets[0]' },
        { path: 'config.targets[0]', mode: 'target', decision: 'skipped', reason: 'It has expired.' },
        { path: 'config.targets[1]', decision: 'chosen' },
      ],
      chosen: { provider: 'b' },
    })
  })

  test('keeps what was decided before a call is refused', async () => {
    const bind = () => {
      throw new UnknownProvider('no such provider')
    }
    const { route: explanation, answer } = await explained({ provider: 'a' }, { bind })
    expect(answer).toMatchObject({ code: 'unknown_provider' })
    expect(explanation).toEqual({
      steps: [{ path: 'config', mode: 'target', decision: 'chosen', reason: 'The call is sent here first.' }],
    })
  })
})
