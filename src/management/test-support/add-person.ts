import { joinWorkspace } from '../../people/members.ts'
import { createUser } from '../../people/users.ts'
import { workspaceRows } from '../../store/objects/workspaces.ts'
import type { OrganisationRole, WorkspaceRole } from '../../store/schema/people.ts'
import type { Db } from '../../store/types.ts'

export interface NewPerson {
  readonly organisationId: string
  /** `anna@example.com` unless given. */
  readonly email?: string
  /** `member` unless given. */
  readonly role?: OrganisationRole
  /** Ids of workspaces that they are a member of. */
  readonly workspaces?: readonly string[]
  /** `admin` unless given. */
  readonly workspaceRole?: WorkspaceRole
}

/** Adds somebody to an organisation of a test. @returns the id of the user */
export const addPerson = (db: Db, person: NewPerson): Promise<string> =>
  db.transaction(async (transaction) => {
    const {
      organisationId,
      email = 'anna@example.com',
      role = 'member',
      workspaces = [],
      workspaceRole = 'admin',
    } = person
    const user = await createUser(transaction, { organisationId, email, role, source: 'invite' })
    for (const reference of workspaces) {
      const workspace = await workspaceRows.find(transaction, { organisationId, reference })
      if (workspace === undefined) throw new Error(`there is no workspace ${reference}`)
      await joinWorkspace(transaction, { user, workspace, role: workspaceRole })
    }
    return user.id
  })
