import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { testServices } from '../../support/services.ts'
import { eventually } from '../../support/start-process.ts'
import { send, textOf } from '../management/support/http.ts'
import { done, openScene, type Scene, SLOW_MS } from '../management/support/scene.ts'
import { limitSuite } from './support/limit-suite.ts'
import { call, createPolicy, freshRun, untilLive } from './support/limited.ts'

setDefaultTimeout(SLOW_MS)

/** These tests are about counting, so a busy machine must not make a process count for itself. */
const PATIENT = 'limits: { storeTimeoutMs: 5000 }\n'

const SERVERS = { 'one Redis': () => testServices().redisUrl, 'a Redis Cluster': () => testServices().redisClusterUrl }

for (const [name, url] of Object.entries(SERVERS)) {
  describe(`two processes on ${name}`, () => {
    let scene: Scene
    let first: RunningGateway
    let second: RunningGateway
    beforeAll(async () => {
      scene = await openScene({ store: 'postgres' })
      const file = `${scene.folder}/weir.config.yaml`
      await Bun.write(file, PATIENT + (await Bun.file(file).text()))
      first = await scene.start({ REDIS_URL: url() })
      second = await scene.start({ REDIS_URL: url() })
    })
    afterAll(() => scene.close())

    limitSuite(() => first)

    test('readiness says that limits are shared', async () => {
      expect((await send(`${second.url}/readyz`)).body).toMatchObject({ ready: true, limits: 'shared' })
    })

    test('together they never let more through than the value', async () => {
      const run = freshRun()
      const value = 40
      const id = await createPolicy(first, { run, value })
      await untilLive(first, run)
      await untilLive(second, run)
      const counted = async (): Promise<number> => {
        const reply = await done(first, 'GET', `/v2/policies/rate-limits/${id}/usage`)
        return Number((reply.body.data as readonly { readonly used: number }[])[0]?.used)
      }
      const before = await counted()
      const calls = Array.from({ length: 160 }, (_, index) => call(index % 2 === 0 ? first : second, { run }))
      const statuses = (await Promise.all(calls)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200).length).toBe(value - before)
      expect(statuses.filter((status) => status === 429).length).toBe(160 - value + before)
      expect(await counted()).toBe(value)
    })

    test('far from the value calls go by what processes have charged ahead, and all of them are counted in the end', async () => {
      const run = freshRun()
      const value = 100_000
      const id = await createPolicy(first, { run, value })
      await untilLive(first, run)
      await untilLive(second, run)
      const used = async (): Promise<number> => {
        const reply = await done(first, 'GET', `/v2/policies/rate-limits/${id}/usage`)
        return Number((reply.body.data as readonly { readonly used: number }[])[0]?.used)
      }
      const before = await used()
      let left = value
      let isLeased = false
      for (let round = 0; round < 20; round += 1) {
        const calls = Array.from({ length: 16 }, (_, index) => call(index % 2 === 0 ? first : second, { run }))
        for (const { status, headers } of await Promise.all(calls)) {
          expect(status).toBe(200)
          left = Math.min(left, Number(headers.get('x-ratelimit-remaining-requests')))
        }
        // What is charged ahead counts as used.
        isLeased ||= left < value - before - 16 * (round + 1)
      }
      expect(isLeased).toBe(true)
      // Of those of its own each process knows.
      expect(left).toBeLessThanOrEqual(value - before - 160)
      // What the other process has not used is given back when its time is over.
      await eventually(async () => (await used()) === before + 320, 10_000)
      expect(await used()).toBe(before + 320)
    })

    test('a policy that is made on one is met on the other', async () => {
      const run = freshRun()
      await createPolicy(first, { run, value: 1 })
      await untilLive(first, run)
      await untilLive(second, run)
      await call(second, { run })
      expect((await call(first, { run })).status).toBe(429)
    })

    test('limits of a stored provider are shared by all who call it', async () => {
      const slug = `limited-${freshRun()}`
      await done(first, 'POST', '/admin/v2/integrations', {
        name: slug,
        ai_provider_id: 'openai',
        slug: `${slug}-i`,
        key: 'sk-limited-0123456789abcdef0123456789',
        configurations: { custom_host: `${scene.upstream.url}/v1` },
      })
      await done(first, 'PUT', `/admin/v2/integrations/${slug}-i/workspaces`, {
        workspaces: [{ id: 'ws-default', enabled: true, create_default_provider: false }],
      })
      const made = await done(first, 'POST', '/v2/providers', {
        name: slug,
        slug,
        integration_id: `${slug}-i`,
        rate_limits: [{ type: 'requests', unit: 'rpd', value: 3 }],
      })
      expect(textOf(made, 'slug')).toBe(slug)
      const headers = { 'x-gateway-provider': `@${slug}` }
      const run = freshRun()
      const statuses: number[] = []
      for (let times = 0; times < 6; times++) {
        const reply = await call(times % 2 === 0 ? first : second, { run, headers })
        if (reply.status === 400) await Bun.sleep(200)
        statuses.push(reply.status)
        if (reply.status === 429) expect(reply.body).toMatchObject({ error: { type: 'virtual_key_rate_limit_error' } })
      }
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3)
      expect(statuses.at(-1)).toBe(429)
    })
  })
}
