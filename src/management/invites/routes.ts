import type { InviteNews } from '../../alerts/invite-news.ts'
import { ManagementForbidden, ManagementNotFound, ManagementTooMany } from '../../errors/gateway-error.ts'
import { acceptInvite, cancelInvite, type InviteWithToken, inviteLink, resendInvite } from '../../people/invites.ts'
import type { Attempts } from '../../people/sign-in/attempts.ts'
import { holdPeople } from '../../people/users.ts'
import { type Invite, inviteRows } from '../../store/objects/invites.ts'
import { Empty } from '../fields.ts'
import { type AnyCall, filterOf } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { AcceptedInvite, AcceptInvite, InviteReceipt, inviteAnswer, ListInvites, NewInvite } from './model.ts'
import { invite, requireMightOver } from './service.ts'

export interface InvitesDeps {
  readonly now: () => number
  readonly invites: {
    /** Where browsers reach this gateway, with the operator's prefix. @param origin that of a request */
    readonly publicUrl: (origin: string) => string
    /** Hears of each new link. */
    readonly news: InviteNews
    /** Whether people prove who they are at an issuer: then a link alone makes nobody a user. */
    readonly needSignIn: boolean
    /** How often an address may try a link. */
    readonly attempts: Pick<Attempts, 'take' | 'giveBack'>
  }
}

type Sent = Invite & { readonly link: string }

/** What the audit log says of an invite. */
export const inviteEntry = entryOf('invites', 'invite')

/** How people come to an organisation (interface contract, section 8). */
export const invitesRoutes = ({ now, invites: deps }: InvitesDeps): readonly AnyRoute[] => {
  const invites = resource<Invite, void>({
    place: async () => undefined,
    list: ({ actor, ...call }, page) =>
      inviteRows.list(call.db, { ...filterOf({ actor, ...call }), organisationId: actor.organisationId }, page),
    async one({ db, actor: { organisationId } }, reference, verb) {
      if (verb !== 'read') await holdPeople(db, organisationId)
      const found = await inviteRows.find(db, { organisationId, reference })
      if (found === undefined) throw new ManagementNotFound('There is no invite of that id.')
      return found
    },
    tag: 'Users',
    plane: 'organisation',
    path: '/users/invites/:inviteId',
    aliases: ['/admin/users/invites/:inviteId'],
    scopes: scopesIn('organisation_users'),
    entry: (verb, { id }) => inviteEntry(verb, { id, workspaceId: null }),
    answer: inviteAnswer(now),
  })

  /** The link of an invite, of which the operator's webhook hears once it is good. */
  const send = ({ from, onCommit }: AnyCall, made: InviteWithToken): Sent => {
    const link = inviteLink(deps.publicUrl(from.origin), made.token)
    onCommit(() => deps.news.tell(made.invite, link))
    return { ...made.invite, link }
  }
  const receipt = (sent: Invite): object => ({ id: sent.id, invite_link: (sent as Sent).link })

  return [
    invites.list({ summary: 'List the invites of the organisation', query: ListInvites }),
    invites.create({
      summary: 'Invite somebody by their address; the link in the answer is shown this once',
      body: NewInvite,
      response: InviteReceipt,
      run: async (call) => send(call, await invite(call.db, call.actor, call.body, now())),
      receipt,
    }),
    invites.read({ summary: 'Show an invite, without its link' }),
    invites.delete({
      summary: 'Call an invite off: its link ends',
      async run({ db, actor }, found) {
        requireMightOver(actor, found)
        await cancelInvite(db, found)
      },
    }),
    invites.act({
      verb: 'resend',
      method: 'POST',
      path: '/resend',
      summary: 'Give an invite a new link for another seven days; the former one ends',
      scopes: ['organisation_users.create'],
      body: Empty,
      bodyOptional: true,
      response: InviteReceipt,
      async run(call, found) {
        requireMightOver(call.actor, found)
        return send(call as AnyCall, await resendInvite(call.db, found, now()))
      },
      receipt,
    }),
    defineRoute({
      method: 'POST',
      path: '/invites/accept',
      tag: 'Users',
      summary: 'Accept an invite by its link, where people do not sign in at an issuer; keys are shown this once',
      scopes: [],
      plane: 'workspace',
      isPublic: true,
      changes: true,
      body: AcceptInvite,
      response: AcceptedInvite,
      async handle({ db, body, from, audit }) {
        const retryAfterMs = deps.attempts.take(from.address)
        if (retryAfterMs !== undefined) {
          throw new ManagementTooMany('Too many links were tried from this address. Wait a little.', { retryAfterMs })
        }
        if (deps.needSignIn) {
          throw new ManagementForbidden('People of this gateway prove who they are: open the link, and sign in there.')
        }
        const { token, first_name: firstName, last_name: lastName } = body
        const { invite: accepted, user, keys } = await acceptInvite(db, { token, nowMs: now(), firstName, lastName })
        deps.attempts.giveBack(from.address)
        const { id: userId, email, role, organisationId } = user
        const shown = { user_id: userId, email, role, organisation_id: organisationId }
        const made = keys.map(({ id, workspaceId }) => ({ id, workspace_id: workspaceId }))
        audit({
          ...inviteEntry('accept', { id: accepted.id, workspaceId: null }),
          actor: { kind: 'user', id: userId, name: email, organisationId },
          before: { status: 'pending' },
          after: { status: 'accepted', ...shown, api_keys: made },
        })
        const apiKeys = keys.map(({ id, workspaceId, secret }) => ({ id, workspace_id: workspaceId, key: secret }))
        return { ...shown, api_keys: apiKeys, object: 'user' }
      },
    }),
  ]
}
