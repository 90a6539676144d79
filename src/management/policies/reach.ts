import { ManagementInvalid, ManagementNotFound } from '../../errors/gateway-error.ts'
import { lockPoliciesOf } from '../../store/objects/rate-limit-policies.ts'
import type { Owner, RowLock } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { invalidField } from '../invalid-field.ts'
import { placeOf } from '../resolve-workspace.ts'

/** Every gateway keeps all active policies in memory. */
const MAX_ACTIVE_POLICIES = 10_000

interface AnyPolicy {
  readonly workspaceId: string
  readonly status: 'active' | 'archived'
}

export interface PolicyKind<Policy> {
  /** What such a policy is called. */
  readonly noun: string
  readonly rows: {
    find(
      db: Db,
      wanted: Owner & { readonly reference: string; readonly status?: AnyPolicy['status'] | undefined },
      lock?: RowLock,
    ): Promise<Policy | undefined>
  }
  readonly countActive: (db: Db, workspaceId: string) => Promise<number>
  /** Fields that make a policy the one it is: what was counted before and after would not compare. */
  readonly fixedFields: readonly string[]
}

export interface PolicyAsked {
  /** Absent: whichever it has. */
  readonly status?: AnyPolicy['status']
  /** In a transaction: nobody else changes the policy until its end. */
  readonly isToChange?: boolean
  /** Id or slug of the workspace that it must belong to. */
  readonly workspace?: string | undefined
}

/** Finds policies of one kind for those who may see them. */
export const policyReach = <Policy extends AnyPolicy>({ noun, rows, countActive, fixedFields }: PolicyKind<Policy>) => {
  /**
   * A policy of the caller's workspace; for an organisation key, of any workspace or of the one that is asked for.
   * @throws ManagementNotFound; ManagementReference, ManagementForbidden for a workspace that is not there or not the caller's
   */
  const reach = async (
    db: Db,
    actor: Actor,
    id: string,
    { workspace, status, isToChange = false }: PolicyAsked,
  ): Promise<Policy> => {
    const wanted = { ...(await placeOf(db, actor, workspace)), reference: id, status }
    const found = await rows.find(db, wanted, isToChange ? 'change' : undefined)
    if (found !== undefined) return found
    throw new ManagementNotFound(`There is no ${status === undefined ? noun : `${status} ${noun}`} '${id}'.`)
  }

  return {
    reach,

    /**
     * The policy that a change is about: an active one, or an archived one that the change restores.
     * @throws ManagementNotFound; ManagementInvalid for a field that cannot be changed
     */
    async reachToChange(
      transaction: Db,
      actor: Actor,
      id: string,
      changes: Readonly<Record<string, unknown>>,
    ): Promise<Policy> {
      const isRestoring = changes.status === 'active'
      if (isRestoring) {
        const { workspaceId } = await reach(transaction, actor, id, {})
        await lockPoliciesOf(transaction, workspaceId)
      }
      const asked: PolicyAsked = isRestoring ? {} : { status: 'active' }
      const found = await reach(transaction, actor, id, { ...asked, isToChange: true })
      const fixed = fixedFields.find((field) => changes[field] !== undefined)
      if (fixed === undefined) return found
      throw invalidField(fixed, 'cannot be changed: archive the policy and create another one')
    },

    /**
     * Until the end of the transaction there is room for one more active policy of the workspace.
     * @throws ManagementInvalid when it has as many as it may
     */
    async makeRoom(transaction: Db, workspaceId: string): Promise<void> {
      await lockPoliciesOf(transaction, workspaceId)
      if ((await countActive(transaction, workspaceId)) < MAX_ACTIVE_POLICIES) return
      throw new ManagementInvalid(
        `The workspace has ${MAX_ACTIVE_POLICIES} active ${noun.replace(/policy$/, 'policies')}, and cannot have more: archive some first.`,
      )
    },
  }
}
