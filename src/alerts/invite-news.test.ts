import { expect, test } from 'bun:test'
import { fromPieces } from '../core/bodies/ready-stream.ts'
import { HeaderList } from '../core/header-fields.ts'
import type { Upstream } from '../core/ports.ts'
import type { Invite } from '../store/objects/invites.ts'
import { createInviteNews } from './invite-news.ts'
import { newWebhookSecret, signedHeaders } from './signature.ts'

const NOW_MS = Date.UTC(2026, 10, 25)
const LINK = 'https://weir.example.com/sign-in?invite=secret-of-the-link'
const INVITE: Invite = {
  id: 'i',
  organisationId: 'o',
  email: 'anna@example.com',
  role: 'member',
  workspaces: [],
  apiKey: null,
  status: 'pending',
  expiresAt: new Date(NOW_MS + 1000),
  invitedBy: 'k',
  acceptedBy: null,
  createdAt: new Date(NOW_MS),
  lastUpdatedAt: new Date(NOW_MS),
}

/** A receiver that answers with these statuses, one after the other, and how to wait for its calls. */
const setUp = (...statuses: number[]) => {
  const sent: Parameters<Upstream['send']>[0][] = []
  const lines: string[] = []
  const ended = Promise.withResolvers<void>()
  const upstream: Upstream = {
    async send(request) {
      sent.push(request)
      const status = statuses[sent.length - 1] ?? 500
      if (status === 200) ended.resolve()
      return { status, headers: new HeaderList(), body: fromPieces([]) }
    },
  }
  const secret = newWebhookSecret()
  const error = (message: string, fields: unknown): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`)
    ended.resolve()
  }
  const receiver = { url: 'https://mail.example.com/hook', secret }
  const news = createInviteNews({ receiver, upstream, now: () => NOW_MS, log: { error }, retryMs: [0, 0] })
  return { news, sent, lines, secret, ended: ended.promise }
}

test('a link is told in a signed message, again where that failed', async () => {
  const { news, sent, secret, lines, ended } = setUp(503, 200)
  news.tell(INVITE, LINK)
  await ended
  expect(sent).toHaveLength(2)
  const [, { body, headers }] = sent as [unknown, { body: string; headers: HeaderList }]
  expect(JSON.parse(body)).toEqual({
    type: 'invite.created',
    timestamp: '2026-11-25T00:00:00.000Z',
    data: {
      organisation_id: 'o',
      invite_id: 'i',
      email: 'anna@example.com',
      role: 'member',
      invite_link: LINK,
      invited_by: 'k',
      expires_at: '2026-11-25T00:00:01.000Z',
    },
  })
  const signed = signedHeaders(secret, headers.get('webhook-id') ?? '', NOW_MS, body)
  expect(headers.get('webhook-signature')).toBe(signed['webhook-signature'] ?? '')
  expect(lines).toEqual([])
})

test('one that could not be told is in the log, without the link', async () => {
  const { news, sent, lines, ended } = setUp(500, 500, 500)
  news.tell(INVITE, LINK)
  await ended
  expect(sent).toHaveLength(3)
  expect(lines).toEqual(['the link of an invite could not be told {"invite":"i","reason":"refused"}'])
})

test('nothing is told once it is closed', async () => {
  const { news, sent, lines } = setUp(200)
  news.close()
  news.tell(INVITE, LINK)
  expect([sent.length, lines.length]).toEqual([0, 1])
})
