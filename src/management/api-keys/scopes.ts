import { nearest } from '../../core/json/check.ts'
import { ManagementForbidden } from '../../errors/gateway-error.ts'
import type { ApiKeyKind } from '../../store/schema/api-keys.ts'
import { ORGANISATION_SCOPES, type Scope, WORKSPACE_SERVICE_SCOPES, WORKSPACE_USER_SCOPES } from '../../store/scopes.ts'
import type { Actor } from '../actor.ts'
import { invalidField } from '../invalid-field.ts'

/** What a key of each kind can hold (interface contract, section 1.3). */
export const SCOPES_OF_KIND: Readonly<Record<ApiKeyKind, ReadonlySet<string>>> = {
  'organisation-service': new Set(ORGANISATION_SCOPES),
  'workspace-service': new Set(WORKSPACE_SERVICE_SCOPES),
  'workspace-user': new Set(WORKSPACE_USER_SCOPES),
}

const ALL_SCOPES = new Set(Object.values(SCOPES_OF_KIND).flatMap((scopes) => [...scopes]))

const FAMILIES = {
  'organisation-service': 'organisation_service_api_keys',
  'workspace-service': 'workspace_service_api_keys',
  'workspace-user': 'workspace_user_api_keys',
} as const satisfies Record<ApiKeyKind, string>

export type KeyVerb = 'create' | 'read' | 'update' | 'delete' | 'list' | 'rotate'

/** The scope that an act on a key of that kind needs. */
export const scopeFor = (kind: ApiKeyKind, verb: KeyVerb): Scope => `${FAMILIES[kind]}.${verb}`

/** Decides about one scope: may it be given on. */
export type MayGrant = (scope: string) => boolean

/**
 * Nobody gives on what they do not have. Whoever acts for the organisation, a key, an owner or an admin, cannot have what only
 * keys of a workspace can, such as `completions.write`, and may give that.
 */
export const mayGrant =
  (actor: Actor): MayGrant =>
  (scope) =>
    actor.scopes.has(scope) || (actor.workspaceId === undefined && !SCOPES_OF_KIND['organisation-service'].has(scope))

/**
 * The scopes of a body, each once.
 * @param held what the key has already: keeping that needs no right to give it
 * @param path where they stand in the body
 * @throws ManagementInvalid for a scope that is unknown or that keys of the kind cannot have
 * @throws ManagementForbidden for one that the caller may not give
 */
export const checkScopes = (
  scopes: readonly string[],
  kind: ApiKeyKind,
  grants: MayGrant,
  held: readonly string[] = [],
  path = 'scopes',
): string[] => {
  for (const [index, scope] of scopes.entries()) {
    if (SCOPES_OF_KIND[kind].has(scope)) continue
    throw invalidField(`${path}[${index}]`, whyNot(scope, kind))
  }
  const kept = new Set(held)
  refuseForeign(
    scopes.filter((scope) => !kept.has(scope) && !grants(scope)),
    path,
  )
  return [...new Set(scopes)]
}

/**
 * Who gives a key a new secret can use it from then on, so must be allowed to give all that it has.
 * @throws ManagementForbidden
 */
export const checkPossession = (scopes: readonly string[], grants: MayGrant): void =>
  refuseForeign(scopes.filter((scope) => !grants(scope)))

const refuseForeign = ([foreign]: readonly string[], param = 'scopes'): void => {
  if (foreign === undefined) return
  throw new ManagementForbidden(`The caller lacks the scope ${foreign} itself, so cannot give it to a key.`, {
    param,
  })
}

const whyNot = (scope: string, kind: ApiKeyKind): string => {
  if (ALL_SCOPES.has(scope)) return `is a scope that keys of the kind ${kind} cannot have`
  const near = nearest(scope, [...SCOPES_OF_KIND[kind]])
  return `is not a scope${near === undefined ? '' : `; did you mean '${near}'?`}`
}
