import { type Static, Type as t } from '@sinclair/typebox'
import type { Violation } from '../errors/gateway-error.ts'

const closed = { additionalProperties: false }

const text = (maxLength: number, description: string) => t.String({ minLength: 1, maxLength, description })

const claim = (use: string) =>
  text(
    255,
    `Claim ${use}: a text, or a list of texts, in the ID token or the user info. Dots lead into an object, as in \`realm_access.roles\`.`,
  )

const valuesOf = (role: string) =>
  t.Optional(
    t.Array(t.String({ minLength: 1, maxLength: 255 }), {
      minItems: 1,
      maxItems: 100,
      description: `Any of these values makes an ${role} of the organisation.`,
    }),
  )

const Roles = t.Object(
  {
    claim: claim('that tells the role'),
    owner: valuesOf('owner'),
    admin: valuesOf('admin'),
    member: valuesOf('member'),
    otherwise: t.Union([t.Literal('member'), t.Literal('refuse')], {
      default: 'member',
      description: 'Who has none of the values: is a member, or may not sign in.',
    }),
  },
  closed,
)

const WorkspaceGrant = t.Object(
  {
    claim: claim('that leads into the workspace'),
    value: text(255, 'The value that it must be or hold.'),
    workspace: text(255, 'Id or slug of the workspace.'),
    role: t.Union([t.Literal('admin'), t.Literal('manager'), t.Literal('member')], {
      default: 'member',
      description: 'Role in it.',
    }),
  },
  closed,
)

const Issuer = t.Object(
  {
    id: t.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
      description: 'Names it in addresses: the issuer sends people back to `/v2/sign-in/callback/<id>`.',
    }),
    name: text(100, 'What people read where they choose.'),
    issuer: text(
      2048,
      'Its address, just as its discovery document has it under `issuer`. One in a private network needs `egress.trustedHosts`; one without https too.',
    ),
    clientId: text(1024, 'Id of Weir there.'),
    clientSecret: t.Optional(
      text(4096, 'Its secret there, best as `${A_VARIABLE}`. Absent: a public client, which has PKCE alone.'),
    ),
    scopes: t.Array(t.String({ pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$', maxLength: 255 }), {
      default: ['openid', 'email', 'profile'],
      maxItems: 50,
      description: 'What is asked for. `openid` must be among them.',
    }),
    domains: t.Array(t.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$', maxLength: 253 }), {
      default: [],
      maxItems: 1000,
      description:
        'Domains, in lower case, whose e-mail addresses this issuer knows: who has a verified one is let in without an invite. Not those below them.',
    }),
    trustEmail: t.Boolean({
      default: false,
      description:
        'Addresses count as verified where the issuer does not say `email_verified`, as Entra does not. Only where nobody can choose their own.',
    }),
    organisationId: t.Optional(
      t.String({
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        description: 'The organisation that people sign in to. Absent: the first one.',
      }),
    ),
    roles: t.Optional({
      ...Roles,
      description: 'Roles by a claim, at each sign-in. Absent: who is new is a member, and roles stay as they are.',
    }),
    workspaces: t.Array(WorkspaceGrant, {
      default: [],
      maxItems: 1000,
      description: 'Workspaces by claims, at each sign-in: those of the list, and no others, follow the claims.',
    }),
  },
  closed,
)

/** The section `signIn` of the operator's file: how people sign in. */
export const SignInSettings = t.Object(
  {
    issuers: t.Array(Issuer, {
      default: [],
      maxItems: 50,
      description: 'Issuers of OpenID Connect: see [sign-in](sign-in.md). Without any, only keys sign in.',
    }),
    sessionIdleHours: t.Number({
      default: 12,
      exclusiveMinimum: 0,
      maximum: 8760,
      description: 'A session that was not used for so long is over. Hours.',
    }),
    sessionMaxHours: t.Number({
      default: 168,
      exclusiveMinimum: 0,
      maximum: 8760,
      description: 'A session lasts no longer, however much it is used. Hours.',
    }),
  },
  { default: {}, ...closed },
)

export type SignInSettings = Static<typeof SignInSettings>
export type SignInIssuer = Static<typeof Issuer>

/** What a file may say: all that has a default may be left out. */
export type SignInInput = Partial<Omit<SignInSettings, 'issuers'>> & {
  readonly issuers?: readonly (Partial<SignInIssuer> & Pick<SignInIssuer, 'id' | 'name' | 'issuer' | 'clientId'>)[]
}

/** What the schema cannot say about the settings, in words for the operator. */
export const signInViolations = ({ issuers }: SignInSettings): readonly Violation[] =>
  issuers.flatMap(({ id, issuer, scopes, roles }, index) => {
    const at = (key: string, message: string): Violation => ({ path: `signIn.issuers[${index}].${key}`, message })
    const isTwice = issuers.findIndex((other) => other.id === id) < index
    const hasNoValue =
      roles !== undefined && [roles.owner, roles.admin, roles.member].every((each) => each === undefined)
    return [
      ...(isTwice ? [at('id', `'${id}' is that of another issuer too`)] : []),
      ...(isIssuerAddress(issuer) ? [] : [at('issuer', 'must be an http(s) URL without query, fragment and login')]),
      ...(scopes.includes('openid') ? [] : [at('scopes', '`openid` is missing')]),
      ...(hasNoValue ? [at('roles', 'give values of at least one of owner, admin and member')] : []),
    ]
  })

const isIssuerAddress = (text: string): boolean => {
  if (!/^https?:\/\/[^?#]+$/.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}
