import { StoreUnavailable } from '../errors.ts'

// At most one `@`: a password with an unescaped `@`, `/`, `?` or `#` would have its end taken for the host, and shown.
const POSTGRES_URL = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?([^@/?#]*)(?:\/[^@?#]*)?(?:\?[^@#]*)?$/

/**
 * The `host:port` list of a Postgres URL, for messages: never the user, the password or the parameters.
 * @throws StoreUnavailable when it is not such a URL, so that the driver, which would quote it, never sees it
 */
export const describePostgresUrl = (databaseUrl: string): string => {
  const hosts = POSTGRES_URL.exec(databaseUrl)?.[1]?.split(',')
  const isValid = hosts?.every((host) => host === '' || URL.canParse(`postgres://${host}`)) && isDecodable(databaseUrl)
  if (hosts === undefined || !isValid) {
    throw new StoreUnavailable(
      'The database URL is not of the form postgres://user:password@host:port/database, with other characters than letters and digits percent-encoded.',
    )
  }
  return hosts.map((host) => (/:\d+$/.test(host) ? host : `${host || 'localhost'}:5432`)).join(',')
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
