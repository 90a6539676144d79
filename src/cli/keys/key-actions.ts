import type { TSchema } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import { check } from '../../core/json/check.ts'
import { keyAnswer } from '../../management/api-keys/answer.ts'
import { keyEntry } from '../../management/api-keys/routes.ts'
import { mayGrant, SCOPES_OF_KIND } from '../../management/api-keys/scopes.ts'
import { createKey, findKey } from '../../management/api-keys/service.ts'
import { toSettings } from '../../management/api-keys/settings.ts'
import { DateTime, Name, Uuid } from '../../management/fields.ts'
import { toList } from '../../management/list.ts'
import { resolveWorkspace } from '../../management/resolve-workspace.ts'
import { systemClock } from '../../observe/clock.ts'
import { printable } from '../../observe/terminal.ts'
import { revokeApiKeys } from '../../store/objects/api-keys.ts'
import { API_KEY_KINDS, type ApiKeyKind } from '../../store/schema/api-keys.ts'
import { listRows } from '../list.ts'
import type { Environment } from '../terminal/environment.ts'
import { WrongUsage } from '../terminal/flags.ts'
import { table } from '../terminal/table.ts'
import type { TerminalStore } from '../terminal-store.ts'
import type { KeyFlags } from './key-flags.ts'

const shown = keyAnswer(systemClock.now)

/** @throws WrongUsage, ManagementInvalid, ManagementReference */
export const createKeyFromTerminal = async (
  terminal: TerminalStore,
  environment: Environment,
  flags: KeyFlags,
): Promise<void> => {
  const kind = readKind(flags.kind)
  const name = readFlag('name', Name, flags.name)
  if (name === undefined) throw new WrongUsage('--name is missing')
  const userId = readFlag('user', Uuid, flags.user)
  if ((userId !== undefined) !== (kind === 'workspace-user')) {
    throw new WrongUsage('--user belongs to keys of the kind workspace-user, which need it')
  }
  if (kind === 'organisation-service' && flags.workspace !== undefined) {
    throw new WrongUsage('--workspace does not belong to a key of the organisation')
  }
  const expiresAt = readExpiry(flags.expires)
  const nowMs = systemClock.now()
  const { id, secret } = await terminal.change(async (db) => {
    const workspace =
      kind === 'organisation-service' ? undefined : await resolveWorkspace(db, terminal.actor, flags.workspace)
    const created = await createKey(
      db,
      {
        ...toSettings(expiresAt === undefined ? {} : { expires_at: expiresAt }, { nowMs }),
        kind,
        organisationId: terminal.organisationId,
        ...defined({ workspaceId: workspace?.id, userId }),
        name,
        scopes: readScopes(flags.scopes, kind),
      },
      mayGrant(terminal.actor),
    )
    return [created, { ...keyEntry('create', created), after: shown.of(created) }]
  })
  if (flags.json) return environment.out(toJson({ id, key: secret, object: 'api-key' }))
  await environment.out(
    `Keep this key: it is shown this once, only its hash is stored.\n\n${table([
      ['  id', id],
      ['  key', secret],
    ])}`,
  )
}

/** @throws ManagementReference for an unknown workspace */
export const listKeysOnTerminal = async (
  terminal: TerminalStore,
  environment: Environment,
  { workspace, json }: KeyFlags,
): Promise<void> => {
  const keys = await listRows(terminal, 'api-keys', workspace)
  if (json) return environment.out(toJson(toList(keys, keys.length)))
  await environment.out(
    table([
      ['ID', 'KEY', 'NAME', 'KIND', 'STATUS', 'EXPIRES'],
      ...keys.map((key) =>
        [key.id, key.key, printable(String(key.name)), key.type, key.status, key.expires_at ?? 'never'].map(String),
      ),
    ]),
  )
}

/** @throws ManagementNotFound */
export const revokeKeyFromTerminal = async (
  { organisationId, change }: TerminalStore,
  environment: Environment,
  id: string,
  { json }: KeyFlags,
): Promise<void> => {
  const record = await change(async (db) => {
    const found = await findKey(db, { organisationId }, id, 'change')
    await revokeApiKeys(db, [found.id])
    return [found, { ...keyEntry('delete', found), before: shown.of(found) }]
  })
  await environment.out(json ? toJson({}) : `The key ${record.id} works no more.\n`)
}

const readKind = (text: string | undefined): ApiKeyKind => {
  if (text === undefined) return 'workspace-service'
  const kind = API_KEY_KINDS.find((known) => known === text)
  if (kind === undefined) throw new WrongUsage(`--kind is one of ${API_KEY_KINDS.join(', ')}`)
  return kind
}

const readScopes = (text: string | undefined, kind: ApiKeyKind): readonly string[] => {
  const wanted = text ?? (kind === 'organisation-service' ? 'all' : 'completions.write')
  return wanted === 'all' ? [...SCOPES_OF_KIND[kind]] : wanted.split(',').map((scope) => scope.trim())
}

const UNIT_MS = { h: 3_600_000, d: 86_400_000 } as const

/** Reads an expiry, a date or a time from now such as `12h` or `30d`, into an RFC 3339 time. */
const readExpiry = (text: string | undefined): string | undefined => {
  const [, amount, unit] = /^([1-9][0-9]{0,4})([hd])$/.exec(text ?? '') ?? []
  if (amount !== undefined) {
    return new Date(systemClock.now() + Number(amount) * UNIT_MS[unit === 'h' ? 'h' : 'd']).toISOString()
  }
  return readFlag('expires', DateTime, /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text ?? '') ? `${text}T00:00:00Z` : text)
}

const readFlag = <Schema extends TSchema>(
  flag: string,
  schema: Schema,
  text: string | undefined,
): string | undefined => {
  if (text === undefined || check(schema, text).ok) return text
  throw new WrongUsage(`--${flag} cannot be '${printable(text)}'`)
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
