import {
  type Clock,
  type HeaderFields,
  type Logger,
  ProviderKeyRequired,
  type Static,
  t,
  UnsupportedConfig,
} from '#kit'
import { type Credentials, createTokenCache, type Login, type Logins, type OutgoingRequest } from '#kit/provider'
import { accountOf } from './account.ts'
import { STORAGE } from './storage.ts'
import { accountToken, fileToken, type GoogleToken, metadataToken, type TokenService } from './tokens.ts'

type Settings = Readonly<Record<string, string>>

/** Settings in the place of a key. */
export const LOGIN_NAMES: readonly string[] = ['vertex_service_account_json', 'vertex_auth_type']

/** What an operator may set of logins. */
export const LOGIN_CONFIG = {
  login: t.Optional(
    t.Object(
      {
        mode: t.Union([t.Literal('adc'), t.Literal('metadata')], {
          description: 'Application default credentials, or the metadata service alone.',
        }),
        credentialsFile: t.Optional(
          t.String({ minLength: 1, description: 'File of mode `adc`, instead of the usual places.' }),
        ),
      },
      {
        additionalProperties: false,
        description: 'Login in the place of `apiKey`, for calls that bring no key: see [logins.md](logins.md).',
      },
    ),
  ),
  tokenURL: t.Optional(
    t.String({
      pattern: '^https?://[^#\\s]+$',
      description: 'Where accounts get their tokens. Default: `https://oauth2.googleapis.com/token`.',
    }),
  ),
}

const ConfigSchema = t.Object(LOGIN_CONFIG)
export type LoginConfig = Static<typeof ConfigSchema>

export interface GoogleLoginOptions extends LoginConfig {
  readonly provider: string
  readonly host: { readonly clock: Clock; readonly log: Logger; readonly logins: Logins }
  readonly apiKey?: string
  /** Whether the place that these settings name is the operator's own. */
  readonly isOwnPlace: (settings: Settings) => boolean
  /** Whether the bucket that these settings name is. */
  readonly isOwnBucket: (settings: Settings) => boolean
}

export interface GoogleLogin {
  /** Puts a token into a header: the key, or one that a login gives. */
  authorize(
    headers: HeaderFields,
    credentials: Credentials,
    request: Pick<OutgoingRequest, 'service'>,
  ): void | Promise<void>
  refused(credentials: Credentials): void
}

interface Asked {
  readonly identity: readonly string[]
  readonly get: () => Promise<Login<GoogleToken>>
}

/** What a call says when it wants to use its key, a token that it got itself. */
const WITH_KEY = 'basic'

/** @throws Error for an operator's login that contradicts itself */
export const createGoogleLogin = (options: GoogleLoginOptions): GoogleLogin => {
  const { provider, host, login, apiKey: ownKey, isOwnPlace, isOwnBucket } = options
  if (login !== undefined && ownKey !== undefined) {
    throw new Error('`apiKey` and `login` are two ways to log in: leave one out')
  }
  const tokens = createTokenCache<GoogleToken>({ provider, ...host })
  const service: TokenService = {
    provider,
    ...host,
    tokenURL: options.tokenURL ?? 'https://oauth2.googleapis.com/token',
  }
  const own = login && ownLogin(service, login)

  const asked = ({ settings, apiKey, isStored, hasCustomHost }: Credentials): Asked | undefined => {
    const json = accountJson(settings)
    if (json !== undefined) {
      const account = accountOf(json)
      return { identity: account.identity, get: () => accountToken(service, account) }
    }
    if (apiKey !== '' || own === undefined) return undefined
    if (isStored === undefined && hasCustomHost === undefined && isOwnPlace(settings)) return own
    // A host that came with a stored model gets what is stored with that model alone.
    if (isStored === true && hasCustomHost === true) return undefined
    throw notOwnPlace()
  }

  return {
    authorize(headers, credentials, { service: asksFor }) {
      const { settings, apiKey } = credentials
      const login = asked(credentials)
      const isOwn = login === undefined ? apiKey === ownKey && credentials.isStored === undefined : login === own
      if (asksFor === STORAGE && isOwn && !isOwnBucket(settings)) throw notOwnBucket()
      if (login !== undefined) {
        const token = tokens.get(login.identity, login.get)
        return token instanceof Promise ? token.then((late) => setToken(headers, late)) : setToken(headers, token)
      }
      if (apiKey === '') {
        if (settings.vertex_auth_type === WITH_KEY) throw new ProviderKeyRequired(`'${provider}' needs a key.`)
        return
      }
      if (apiKey === ownKey && credentials.isStored === undefined && !isOwnPlace(settings)) throw notOwnPlace()
      headers.set('authorization', `Bearer ${apiKey}`)
    },
    refused(credentials) {
      const login = asked(credentials)
      if (login !== undefined) tokens.refused(login.identity)
    },
  }
}

const notOwnPlace = (): ProviderKeyRequired =>
  new ProviderKeyRequired('The call names a project of its own, so it must bring the key of it too.')

const notOwnBucket = (): ProviderKeyRequired =>
  new ProviderKeyRequired("The call names a bucket that is not the operator's, so it must bring the key of it too.")

/** @throws UnsupportedConfig for a login that lacks its account, or that nobody knows */
const accountJson = (settings: Settings): string | undefined => {
  const { vertex_service_account_json: json = '', vertex_auth_type: type = '' } = settings
  if (type === WITH_KEY) return undefined
  if (type !== '' && type !== 'serviceAccount') {
    throw new UnsupportedConfig('`vertex_auth_type` is neither `basic` nor `serviceAccount`.', {
      param: 'vertex_auth_type',
    })
  }
  if (json !== '') return json
  if (type === '') return undefined
  throw new UnsupportedConfig(
    '`vertex_auth_type` asks for a service account: `vertex_service_account_json` is missing.',
    {
      param: 'vertex_auth_type',
    },
  )
}

const ownLogin = (service: TokenService, { mode, credentialsFile }: NonNullable<LoginConfig['login']>): Asked => {
  const { environment } = service.logins
  const metadata = (): Promise<Login<GoogleToken>> => metadataToken(service)
  if (mode === 'metadata') return { identity: ['metadata'], get: metadata }
  const named = credentialsFile ?? (environment.GOOGLE_APPLICATION_CREDENTIALS || undefined)
  if (named !== undefined) return { identity: ['file', named], get: () => fileToken(service, named) }
  const folder = environment.CLOUDSDK_CONFIG || (environment.HOME && `${environment.HOME}/.config/gcloud`)
  const usual = `${folder}/application_default_credentials.json`
  return {
    identity: ['adc'],
    get: async () => ((await exists(service, usual)) ? fileToken(service, usual) : metadata()),
  }
}

const exists = async ({ logins }: TokenService, path: string): Promise<boolean> => {
  try {
    await logins.readFile(path)
    return true
  } catch {
    return false
  }
}

const setToken = (headers: HeaderFields, { token, quotaProject }: GoogleToken): void => {
  headers.set('authorization', `Bearer ${token}`)
  if (quotaProject !== undefined) headers.set('x-goog-user-project', quotaProject)
}
