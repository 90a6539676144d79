import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { expectError, paramOf } from '../../test/conformance/management/expect-error.ts'
import { createWorld, type World } from '../../test/conformance/management/world.ts'
import { alertsRoutes } from '../management/alerts/routes.ts'
import type { Method } from '../management/route.ts'
import { parseMasterKey } from '../secrets/master-key.ts'
import { openSecretBox, type SecretBox } from '../secrets/secret-box.ts'
import { listAudit } from '../store/objects/audit-log.ts'
import { breakable, describeOnBothStores, until } from '../store/testing.ts'
import { checkCustomHost } from '../upstream/egress.ts'
import { createResolver } from '../upstream/resolver.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { type Alerts, type AlertsOptions, createAlerts, SECRET_FIELD } from './alerts.ts'
import type { NewAlert } from './raise.ts'
import { isWebhookSecret, newWebhookSecret, signedHeaders } from './signature.ts'

interface Message {
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

const OPERATOR_SECRET = newWebhookSecret()
const silent = (): void => undefined
const now = (): number => performance.now()

describe('the signature of a webhook', () => {
  test('is one that libraries of receivers accept, for as long as the message is as it was', () => {
    const secret = newWebhookSecret()
    const body = JSON.stringify({ type: 'test', data: { text: 'ä€😀' } })
    const headers = signedHeaders(secret, 'an-id', Date.now(), body)
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow()
  })

  test.each([
    ['', false],
    ['whsec_', false],
    ['whsec_AAAA', false],
    [`whsec_${'A'.repeat(32)}`, true],
    [`whsec_${'A'.repeat(31)}!`, false],
    [`${'A'.repeat(32)}`, false],
    [`whsec_${Buffer.alloc(65).toString('base64')}`, false],
    [newWebhookSecret(), true],
  ])('%s can be a secret: %p', (text, can) => {
    expect(isWebhookSecret(text)).toBe(can)
  })
})

describeOnBothStores('alerts', (store) => {
  let world: World
  let secretBox: SecretBox
  let receiver: ReturnType<typeof Bun.serve>
  let messages: Message[] = []
  /** Statuses that the receiver still answers with. */
  let statuses: number[] = []
  let host = ''
  const running: Alerts[] = []
  const upstreams: { close(): void }[] = []
  let count = 0

  beforeAll(async () => {
    receiver = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        messages.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.text() })
        return new Response('thanks', { status: statuses.shift() ?? 200 })
      },
    })
    host = `127.0.0.1:${receiver.port}`
    secretBox = await openSecretBox(store().db, {
      current: parseMasterKey('a passphrase for tests, long enough to be one', 'the key of the tests'),
    })
    const trusted = createTrustedHosts([host])
    world = await createWorld(
      store(),
      alertsRoutes({
        secretBox,
        checkCustomHost: (url) => checkCustomHost(url, trusted),
        alerts: { wake: () => running.at(-1)?.wake() },
      }),
    )
  })
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close()
    for (const each of upstreams.splice(0)) each.close()
    messages = []
    statuses = []
    for (const { id } of (await ask('GET', '/alerts/webhooks')).data as { id: string }[]) {
      await ask('DELETE', `/alerts/webhooks/${id}`)
    }
  })
  afterAll(() => receiver.stop(true))

  const start = (options: Partial<AlertsOptions> = {}): Alerts => {
    const upstreamTo = (entries: readonly string[]) => {
      const resolver = createResolver({ now, timeoutMs: 1_000 })
      const upstream = createUpstream({ resolver, trusted: createTrustedHosts(entries), now })
      upstreams.push(upstream)
      return upstream
    }
    const alerts = createAlerts({
      db: store().db,
      upstream: upstreamTo([host]),
      now: Date.now,
      log: { info: silent, warn: silent, error: silent },
      openSecret: (organisationId, id, sealed) => secretBox.open(organisationId, id, SECRET_FIELD, sealed),
      pollMs: 20,
      retryMs: [1, 1],
      ...options,
    })
    running.push(alerts)
    return alerts
  }

  const ask = async (method: Method, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await world.call({ method, path, token: world.ours.first.serviceKey, body })
    if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body as Record<string, unknown>
  }

  const webhook = (fields: Record<string, unknown> = {}, path = '/hook') =>
    ask('POST', '/alerts/webhooks', { url: `http://${host}${path}`, ...fields })

  const alert = (changes: Partial<NewAlert> = {}): NewAlert => ({
    organisationId: world.ours.organisationId,
    workspaceId: world.ours.first.id,
    kind: 'budget.exhausted',
    subject: `subject ${++count}`,
    data: { current_usage: 1 },
    audit: { action: 'budgets.exhausted', objectKind: 'api_key', objectId: crypto.randomUUID() },
    ...changes,
  })

  const shown = async (id: string) =>
    ((await ask('GET', '/alerts')).data as Record<string, unknown>[]).find((each) => each.id === id)

  const newest = async () => ((await ask('GET', '/alerts')).data as Record<string, unknown>[])[0] ?? {}

  test('are raised once by many who see the same, and reach each receiver with its signature', async () => {
    const { secret } = await webhook()
    const other = await webhook({ kinds: ['api_key.rotated'] }, '/other')
    const raised = alert()
    const processes = [start(), start(), start()]
    for (const each of processes) for (let again = 0; again < 3; again++) each.raise(raised)
    await until(async () => messages.length > 0)
    await until(async () => processes.every((each) => each.stats().waiting === 0))
    await Bun.sleep(100)
    expect(messages.map(({ path }) => path)).toEqual(['/hook'])
    const [{ headers, body } = { headers: new Headers(), body: '' }] = messages
    const verified = new Webhook(String(secret)).verify(body, Object.fromEntries(headers)) as Record<string, unknown>
    expect(verified).toMatchObject({ type: 'budget.exhausted', data: { current_usage: 1 } })
    expect(() => new Webhook(String(other.secret)).verify(body, Object.fromEntries(headers))).toThrow()
    const { rows } = await listAudit(
      store().db,
      { organisationId: world.ours.organisationId, objectId: raised.audit.objectId },
      { limit: 10, offset: 0 },
    )
    expect(rows).toMatchObject([{ actorKind: 'system', action: 'budgets.exhausted', after: { current_usage: 1 } }])
    await until(async () => JSON.stringify(await newest()).includes('delivered'))
    expect(await newest()).toMatchObject({
      id: headers.get('webhook-id'),
      type: 'budget.exhausted',
      deliveries: [{ status: 'delivered', attempts: 1, last_status: 200, last_error: null, next_attempt_at: null }],
    })
  })

  test('are tried again under the same id, and given up after the last time', async () => {
    await webhook()
    statuses = [500, 503]
    start().raise(alert())
    await until(async () => messages.length === 3)
    expect(new Set(messages.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
    await until(async () => JSON.stringify(await newest()).includes('delivered'))
    messages = []
    statuses = [500, 500, 400, 200]
    running[0]?.raise(alert())
    await until(async () => JSON.stringify(await newest()).includes('"failed"'))
    expect(await newest()).toMatchObject({ deliveries: [{ attempts: 3, last_status: 400, last_error: 'refused' }] })
    expect(messages).toHaveLength(3)
  })

  test('never reach an address that workspaces must not reach, and the operator may have one', async () => {
    await webhook()
    const upstream = createUpstream({
      resolver: createResolver({ now, timeoutMs: 1_000 }),
      trusted: createTrustedHosts([]),
      now,
    })
    upstreams.push(upstream)
    const operator = {
      receiver: { url: `http://${host}/operator`, secret: OPERATOR_SECRET },
      upstream: createUpstream({
        resolver: createResolver({ now, timeoutMs: 1_000 }),
        trusted: createTrustedHosts([host]),
        now,
      }),
    }
    upstreams.push(operator.upstream)
    start({ upstream, operator, retryMs: [] }).raise(alert())
    await until(async () => {
      const text = JSON.stringify(await newest())
      return text.includes('failed') && text.includes('delivered')
    })
    expect(messages.map(({ path }) => path)).toEqual(['/operator'])
    const [{ headers, body } = { headers: new Headers(), body: '' }] = messages
    expect(new Webhook(OPERATOR_SECRET).verify(body, Object.fromEntries(headers))).toBeDefined()
    expect(JSON.stringify(await newest())).toContain('egress_refused')
  })

  test('wait for a database that is away', async () => {
    await webhook()
    const { double, broken } = breakable(store())
    broken.queries = true
    let isRaised = false
    const db = new Proxy(store().db, {
      get: (_, name) => {
        const part = Reflect.get(double.db, name)
        return typeof part === 'function' ? part.bind(double.db) : part
      },
    })
    const alerts = start({ db })
    alerts.raise(alert(), () => {
      isRaised = true
    })
    await Bun.sleep(80)
    expect(alerts.stats()).toEqual({ waiting: 1, dropped: 0 })
    broken.queries = false
    await until(async () => isRaised && messages.length === 1)
    expect(alerts.stats()).toEqual({ waiting: 0, dropped: 0 })
  })

  test('of a change are raised with it, or not at all', async () => {
    await webhook({ kinds: ['api_key.rotated'] })
    const alerts = start()
    const raise = async (subject: string, fails: boolean): Promise<void> => {
      await store().db.transaction(async (transaction) => {
        await alerts.raiseWithin(transaction, alert({ kind: 'api_key.rotated', subject }))
        if (fails) throw new Error('The change failed.')
      })
    }
    const subject = `key ${crypto.randomUUID()}`
    await expect(raise(subject, true)).rejects.toThrow('The change failed.')
    await Bun.sleep(150)
    expect(messages).toHaveLength(0)
    await raise(subject, false)
    await raise(subject, false)
    await until(async () => messages.length > 0)
    await Bun.sleep(100)
    expect(messages.map(({ body }) => JSON.parse(body).type)).toEqual(['api_key.rotated'])
  })

  test('a webhook is tried on demand, and one that is switched off hears nothing', async () => {
    const { id } = await webhook()
    start()
    const { alert_id: alertId } = await ask('POST', `/alerts/webhooks/${id}/test`)
    await until(async () => messages.length === 1)
    expect(JSON.parse(messages[0]?.body ?? '')).toMatchObject({ type: 'test', data: { webhook_id: id } })
    expect(await shown(String(alertId))).toMatchObject({ type: 'test', deliveries: [{ webhook_id: id }] })
    await ask('PUT', `/alerts/webhooks/${id}`, { is_enabled: false })
    running[0]?.raise(alert())
    await until(async () => (await newest()).type === 'budget.exhausted')
    expect((await newest()).deliveries).toEqual([])
    expect(messages).toHaveLength(1)
  })

  test('a new secret holds from then on, and is never shown again', async () => {
    const { id, secret } = await webhook()
    const next = newWebhookSecret()
    await ask('PUT', `/alerts/webhooks/${id}`, { secret: next })
    const text = JSON.stringify([await ask('GET', `/alerts/webhooks/${id}`), await ask('GET', '/alerts/webhooks')])
    expect(text).not.toContain(String(secret).slice(6))
    expect(text).not.toContain(next.slice(6))
    start().raise(alert())
    await until(async () => messages.length === 1)
    const [{ headers, body } = { headers: new Headers(), body: '' }] = messages
    expect(new Webhook(next).verify(body, Object.fromEntries(headers))).toBeDefined()
  })

  test.each([
    ['no URL', { url: 'http://' }, 'url'],
    ['a login in the URL', { url: 'http://me:secret@example.com/' }, 'url'],
    ['a private address', { url: 'http://10.0.0.1/' }, 'url'],
    ['another protocol', { url: 'ftp://example.com/x' }, 'url'],
    ['a short secret', { secret: 'whsec_AAAA' }, 'secret'],
    ['a kind that is none', { kinds: ['everything'] }, 'kinds[0]'],
    ['no kinds', { kinds: [] }, 'kinds'],
  ])('a webhook with %s is refused', async (_name, fields, param) => {
    const answer = await world.call({
      method: 'POST',
      path: '/alerts/webhooks',
      token: world.ours.first.serviceKey,
      body: { url: `http://${host}/hook`, ...fields },
    })
    expectError(answer, 'management_invalid')
    expect(paramOf(answer)).toBe(param)
    expect((await ask('GET', '/alerts/webhooks')).total).toBe(0)
  })
})
