import { defined } from '../../core/defined.ts'
import type { SecretMeans } from '../../secret-managers/manager.ts'
import { problemOf } from '../../secret-managers/rules.ts'
import { maskFields } from '../../secrets/mask.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { isUniqueViolation } from '../../store/errors.ts'
import { newId } from '../../store/objects/rows.ts'
import {
  findUsesOfReference,
  putAllowedWorkspaces,
  SECRET_REFERENCE_SLUG_TAKEN,
  type SecretReference,
  secretReferenceRows,
} from '../../store/objects/secret-references.ts'
import { workspaceRows } from '../../store/objects/workspaces.ts'
import type { SealedFields } from '../../store/schema/integrations.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'
import { columnsOf } from '../resource/answer.ts'
import { toSlug } from '../slug.ts'
import { type CheckedAuth, checkAuthConfig } from './auth-config.ts'
import type { NewSecretReferenceBody, SecretReferenceChangeBody } from './model.ts'

export interface SecretReferencesDeps {
  readonly secretBox: SecretBox
  readonly randomId: () => string
  /** @throws EgressRefused for a host that may not be reached */
  readonly checkCustomHost: (url: string) => string
  /** What the operator gives, by the config that runs now. */
  readonly secretMeans: () => Pick<SecretMeans, 'settings' | 'trusts'>
}

/** Name under which a secret of a login is sealed. */
export const sealedAuthField = (name: string): string => `auth_config.${name}`

/** @throws ManagementInvalid naming the field */
export const createReference = async (
  db: Db,
  deps: SecretReferencesDeps,
  { organisationId, createdBy }: Pick<SecretReference, 'organisationId' | 'createdBy'>,
  body: NewSecretReferenceBody,
): Promise<SecretReference> => {
  const { name, manager_type: managerType, secret_path: secretPath, auth_config: given = {} } = body
  const id = newId()
  const auth = checkAuthConfig(managerType, given, undefined, deps.checkCustomHost)
  refuseProblem(deps, { managerType, path: secretPath, auth: auth.plain })
  const allowed = await findAllowed(db, organisationId, body)
  const { slug = toSlug(name, deps.randomId, 'secret') } = body
  const row = {
    ...{ id, organisationId, createdBy, slug, name, managerType, secretPath },
    ...(await toAuthColumns(db, deps, { id, organisationId }, auth, {})),
    ...toColumns(body),
  }
  const made = await secretReferenceRows.insert(db, row).catch((thrown: unknown) => {
    if (!isUniqueViolation(thrown, SECRET_REFERENCE_SLUG_TAKEN)) throw thrown
    throw invalidField('slug', `is taken: there is a secret reference '${slug}' already`)
  })
  if (allowed !== undefined) await putAllowedWorkspaces(db, id, allowed)
  return made
}

/** Writes the given fields. Fields of `auth_config` that are not given stay. @throws ManagementInvalid naming the field */
export const updateReference = async (
  db: Db,
  deps: SecretReferencesDeps,
  stored: SecretReference,
  body: SecretReferenceChangeBody,
): Promise<SecretReference> => {
  const { id, organisationId, managerType } = stored
  const path = body.secret_path ?? stored.secretPath
  const auth =
    body.auth_config === undefined
      ? undefined
      : checkAuthConfig(managerType, body.auth_config, stored, deps.checkCustomHost)
  if (auth !== undefined || body.secret_path !== undefined) {
    refuseProblem(deps, { managerType, path, auth: auth?.plain ?? stored.authConfig })
  }
  const allowed = await findAllowed(db, organisationId, body)
  const updated = await secretReferenceRows.update(db, {
    id,
    ...columnsOf(body, ['name', 'secret_path']),
    ...(auth === undefined ? {} : await toAuthColumns(db, deps, stored, auth, stored)),
    ...toColumns(body),
  })
  if (allowed !== undefined) await putAllowedWorkspaces(db, id, allowed)
  return updated ?? stored
}

/** How many users of a reference are named. */
const MAX_NAMED = 5

/** @throws ManagementInvalid while something takes a value from it */
export const removeReference = async (db: Db, reference: SecretReference): Promise<void> => {
  const uses = await findUsesOfReference(db, reference, MAX_NAMED + 1)
  if (uses.length > 0) {
    const named = uses.slice(0, MAX_NAMED).map((slug) => `'${slug}'`)
    const list = `${named.join(', ')}${uses.length > MAX_NAMED ? ', …' : ''}`
    throw invalidField('secretReferenceId', `names a reference that is in use by the integrations ${list}`)
  }
  await secretReferenceRows.remove(db, reference.id)
}

const refuseProblem = ({ secretMeans }: SecretReferencesDeps, source: Parameters<typeof problemOf>[0]): void => {
  const problem = problemOf(source, secretMeans())
  if (problem === undefined) return
  const field = problem.field === 'secret_path' ? problem.field : `auth_config.${problem.field}`
  throw invalidField(field, problem.message)
}

type Access = Pick<SecretReferenceChangeBody, 'allow_all_workspaces' | 'allowed_workspaces'>

const toColumns = (body: SecretReferenceChangeBody) => ({
  ...columnsOf(body, ['description', 'secret_key', 'tags']),
  ...defined({ allowAllWorkspaces: body.allowed_workspaces === undefined ? body.allow_all_workspaces : false }),
})

/**
 * Ids of the workspaces that are listed from now on; undefined where that stays as it is.
 * @throws ManagementInvalid for a workspace that there is not, and for both ways to say who may use it
 */
const findAllowed = async (
  db: Db,
  organisationId: string,
  { allow_all_workspaces: all, allowed_workspaces: references }: Access,
): Promise<readonly string[] | undefined> => {
  if (references === undefined) return all === true ? [] : undefined
  if (all === true) throw invalidField('allowed_workspaces', 'goes not together with `allow_all_workspaces: true`')
  const ids = new Set<string>()
  for (const [index, reference] of references.entries()) {
    const found = await workspaceRows.find(db, { organisationId, reference })
    if (found === undefined) throw invalidField(`allowed_workspaces[${index}]`, 'is no workspace of the organisation')
    ids.add(found.id)
  }
  return [...ids]
}

const toAuthColumns = async (
  db: Db,
  { secretBox }: SecretReferencesDeps,
  { id, organisationId }: Pick<SecretReference, 'id' | 'organisationId'>,
  { plain, secrets, kept }: CheckedAuth,
  stored: Partial<Pick<SecretReference, 'secrets' | 'masked'>>,
) => {
  const sealed: Record<string, string> = {}
  for (const [name, value] of Object.entries(secrets)) {
    sealed[name] = await secretBox.seal(db, organisationId, id, sealedAuthField(name), value)
  }
  return {
    authConfig: plain,
    secrets: { ...only(stored.secrets, kept), ...sealed },
    masked: { ...only(stored.masked, kept), ...maskFields(secrets) },
  }
}

const only = (fields: SealedFields = {}, names: readonly string[]): SealedFields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
