import { type Static, Type as t } from '@sinclair/typebox'
import type { Violation } from '../errors/gateway-error.ts'

const Uuid = t.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', maxLength: 36 })

/** The section `jwt` of the operator's file: whose tokens are accepted instead of an API key. */
export const JwtSettings = t.Object(
  {
    jwksUri: t.Optional(
      t.String({
        minLength: 1,
        maxLength: 4096,
        description: 'Where the keys of the issuer are: an http(s) URL of a JWKS, or several with commas between.',
      }),
    ),
    jwks: t.Optional(
      t.Object(
        { keys: t.Array(t.Record(t.String(), t.Unknown()), { minItems: 1, maxItems: 100 }) },
        { description: 'The keys themselves instead of a URL: a JWKS (RFC 7517). Public parts only.' },
      ),
    ),
    issuer: t.Optional(t.String({ minLength: 1, description: 'What the claim `iss` must be. Absent: not looked at.' })),
    audience: t.Optional(
      t.String({ minLength: 1, description: 'What the claim `aud` must be or hold. Absent: not looked at.' }),
    ),
    organisationId: t.Optional({ ...Uuid, description: 'The one organisation that tokens may be for. Absent: any.' }),
  },
  { additionalProperties: false },
)

export type JwtSettings = Static<typeof JwtSettings>

/** What the schema cannot say about the settings, in words for the operator; undefined when they can be used. */
export const jwtSettingsProblem = ({ jwksUri, jwks }: JwtSettings): Violation | undefined => {
  if ((jwksUri === undefined) === (jwks === undefined)) return { path: 'jwt', message: 'give one of jwksUri and jwks' }
  const wrong = jwksUrls(jwksUri).find((url) => !/^https?:\/\//.test(url) || !URL.canParse(url))
  return wrong === undefined ? undefined : { path: 'jwt.jwksUri', message: `'${wrong}' is not an http(s) URL` }
}

/** `a, b` as a list. */
export const jwksUrls = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : text.split(',').map((part) => part.trim())
