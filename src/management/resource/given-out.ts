import { ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import type { Scope } from '../../store/scopes.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { placeOf } from '../resolve-workspace.ts'
import type { AuditEntry } from '../route.ts'
import { entryOf } from './resource.ts'

export type GivenOutVerb = 'create' | 'read' | 'update' | 'delete'

/** Whose a list asks for: those of one workspace, of the organisation, or both. */
export type OwnerType = 'workspace' | 'organisation' | 'all'

/** An object of an organisation that it gives to workspaces, or of one workspace alone. */
interface GivenOut {
  readonly id: string
  readonly workspaceId: string | null
}

interface Rows<Row> {
  find(
    db: Db,
    wanted: { readonly organisationId: string; readonly workspaceId?: string; readonly reference: string },
  ): Promise<Row | undefined>
}

/**
 * Who may do what with objects that an organisation gives out.
 * @param group `integrations`: scopes are `organisation_integrations.read` and `workspace_integrations.read`
 * @param noun what one of them is called
 */
export const givenOut = <Row extends GivenOut>(
  group: 'integrations' | 'mcp_integrations',
  noun: string,
  rows: Rows<Row>,
) => {
  const ofOrganisation = `organisation_${group}` as const
  const ofWorkspaces = `workspace_${group}` as const
  const familyOf = ({ workspaceId }: Pick<GivenOut, 'workspaceId'>) =>
    workspaceId === null ? ofOrganisation : ofWorkspaces

  /**
   * One of a workspace needs the scope of workspaces, or, for an organisation key, that of the organisation; one of the
   * organisation needs the latter.
   * @throws ManagementForbidden
   */
  const requireVerb = (actor: Actor, of: Pick<GivenOut, 'workspaceId'>, verb: GivenOutVerb): void => {
    const needed: Scope = `${familyOf(of)}.${verb}`
    if (actor.workspaceId !== undefined && of.workspaceId === null) {
      throw new ManagementForbidden(`The ${noun} belongs to the organisation: a key of a workspace cannot do this.`)
    }
    if (actor.scopes.has(needed)) return
    if (actor.workspaceId === undefined && actor.scopes.has(`${ofOrganisation}.${verb}`)) return
    throw new ManagementForbidden(`The key lacks the scope ${needed}.`)
  }

  return {
    /** The scopes that let a call in, before it is known whose object it is about. */
    scopesOf: (verb: GivenOutVerb | 'list'): readonly Scope[] => [
      `${ofOrganisation}.${verb}`,
      `${ofWorkspaces}.${verb}`,
    ],
    requireVerb,

    /**
     * The object of an item route, by id or slug.
     * @param workspace id or slug of a workspace that must be able to use it
     * @throws ManagementNotFound when there is none, or the actor's workspace or the one that is named cannot see it;
     *   ManagementForbidden; ManagementReference.
     */
    async reach(db: Db, actor: Actor, reference: string, verb: GivenOutVerb, workspace?: string): Promise<Row> {
      const found = await rows.find(db, { ...(await placeOf(db, actor, workspace)), reference })
      if (found === undefined) throw new ManagementNotFound(`There is no ${noun} '${reference}'.`)
      requireVerb(actor, found, verb)
      return found
    },

    /**
     * The part of what a list asks for that the scopes of the actor allow.
     * @throws ManagementForbidden when nothing is left.
     */
    visibleType(actor: Actor, asked: OwnerType): OwnerType {
      const seesOrganisation = actor.scopes.has(`${ofOrganisation}.list`)
      const seesWorkspace =
        actor.scopes.has(`${ofWorkspaces}.list`) || (actor.workspaceId === undefined && seesOrganisation)
      if (seesOrganisation && seesWorkspace) return asked
      const seen = seesOrganisation ? 'organisation' : 'workspace'
      if (asked !== 'all' && asked !== seen) {
        throw new ManagementForbidden(`The key lacks the scope ${asked}_${group}.list.`)
      }
      return seen
    },

    /** What the audit log says of a change of one, or of what belongs to it. */
    entry:
      (objectKind: string) =>
      (verb: string, row: Row): AuditEntry =>
        entryOf(familyOf(row), objectKind)(verb, row),
  }
}
