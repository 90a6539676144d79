import { defined } from '../../core/defined.ts'
import { isRedirectUri } from './redirect-uri.ts'

/** A program that asks a person to let it act for them (a client of OAuth 2.1, without a secret). */
export interface App {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Page about it. */
  readonly uri?: string
  /** Whose document describes it; absent: it said itself who it is, and nobody vouches for that. */
  readonly host?: string
}

/** What cannot be an app. Its message is shown to whoever made it. */
export class AppRefused extends Error {
  override readonly name = 'AppRefused'
  /** As RFC 7591, section 3.2.2, names it. */
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata'

  constructor(code: AppRefused['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

const MAX_URIS = 10
const MAX_NAME = 100

/**
 * Reads what an app says of itself (RFC 7591, section 2). Whatever is not needed is left out.
 * @throws AppRefused
 */
export const readApp = (metadata: Readonly<Record<string, unknown>>): Omit<App, 'id' | 'host'> => {
  const { redirect_uris: uris, client_name: name, client_uri: uri, response_types: types } = metadata
  const isList = Array.isArray(uris) && uris.length > 0 && uris.length <= MAX_URIS
  if (!isList || !uris.every((each): each is string => typeof each === 'string' && isRedirectUri(each))) {
    throw new AppRefused(
      'invalid_redirect_uri',
      `redirect_uris must be 1 to ${MAX_URIS} addresses with https, on the loopback address, or with a scheme of the app.`,
    )
  }
  if (name !== undefined && (typeof name !== 'string' || name.length > MAX_NAME)) {
    throw new AppRefused('invalid_client_metadata', `client_name must be text of at most ${MAX_NAME} characters.`)
  }
  if (types !== undefined && !(Array.isArray(types) && types.includes('code'))) {
    throw new AppRefused('invalid_client_metadata', 'response_types must have `code`.')
  }
  const isPage = typeof uri === 'string' && uri.length <= MAX_URI && URL.parse(uri)?.protocol === 'https:'
  const [first = ''] = uris
  const shown = (name ?? '').replace(NOT_SHOWN, ' ').trim()
  return {
    name: shown === '' ? placeOf(first) : shown,
    redirectUris: uris,
    ...defined({ uri: isPage ? uri : undefined }),
  }
}

const MAX_URI = 256
/** What could make a name look like another one. */
const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}]+/gu

/** Where an address leads, in a few characters. */
export const placeOf = (uri: string): string => {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}
