import { DrizzleQueryError } from 'drizzle-orm/errors'
import { QueryFailed, StoreFull, StoreUnavailable } from '../errors.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html and the codes of Node and postgres.js.
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found',
  DNS_ENOTFOUND: 'host name not found',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'no answer',
  CONNECT_TIMEOUT: 'no answer',
  CONNECTION_CLOSED: 'connection closed',
  CONNECTION_ENDED: 'connection closed',
  CONNECTION_DESTROYED: 'connection closed',
  SASL_SIGNATURE_MISMATCH: 'the server could not prove that it knows the password',
  '25P03': 'the transaction took too long',
  '28000': 'the login was refused',
  '28P01': 'the password was refused',
  '3D000': 'the database does not exist',
  '42501': 'permission denied',
  '53300': 'too many connections',
  '55P03': 'a lock was not free in time',
  '57014': 'the query took too long',
  '57P01': 'the server is shutting down',
  '57P02': 'the server crashed',
  '57P03': 'the server is starting up',
}

const DISK_FULL: ReadonlySet<string> = new Set(['53100', 'ENOSPC'])

/** Why the database could not be used, in words that hold nothing of the query, or undefined if that is not the case. */
export const unavailableReason = (error: unknown): string | undefined => {
  const code = text(unwrap(error), 'code')
  if (code === undefined) return undefined
  return REASONS[code] ?? (code.startsWith('08') ? 'connection failed' : undefined)
}

const LOST: ReadonlySet<string> = new Set(['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', '57P01'])

/**
 * Whether a connection was lost, or could not be made in time. postgres.js 3.4.9 keeps what it was about to write when a connection closes
 * (`closed` in its `connection.js`): the first message of the next one waits behind that and is not sent, so that it times out
 * again and again though the server is there. Only a new client helps.
 */
export const isConnectionLost = (error: unknown): boolean => LOST.has(text(unwrap(error), 'code') ?? '')

/**
 * Turns an error of drizzle or of a driver into one of the store. Anything else, such as an error thrown by the code
 * inside a transaction, comes back as it is.
 * @param database named in the message: `host:port` or a folder
 */
export const toStoreError = (error: unknown, database: string): unknown => {
  const inner = unwrap(error)
  if (inner instanceof StoreUnavailable) return inner
  if (DISK_FULL.has(text(inner, 'code') ?? '')) return new StoreFull(`The disk of the database at ${database} is full.`)
  const reason = unavailableReason(inner)
  if (reason !== undefined) return new StoreUnavailable(`The database at ${database} cannot be used: ${reason}.`)
  // Both drivers set `severity` on what the server says, and no other error has it.
  if (error === inner && text(inner, 'severity') === undefined) return error
  return new QueryFailed(text(inner, 'code'), text(inner, 'constraint_name') ?? text(inner, 'constraint'))
}

const unwrap = (error: unknown): unknown => (error instanceof DrizzleQueryError ? error.cause : error)

const text = (value: unknown, key: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const found: unknown = Reflect.get(value, key)
  return typeof found === 'string' ? found : undefined
}
