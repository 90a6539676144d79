import { slugsOfWorkspaces } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import type { GroupsAnswer } from './answer-groups.ts'

/** Workspaces by their slugs, as the interface names them; one that is gone keeps its id. */
export const withSlugs = async (db: Db, organisationId: string, answer: GroupsAnswer): Promise<GroupsAnswer> => {
  const ids = answer.data.map(({ workspace }) => String(workspace))
  const slugs = await slugsOfWorkspaces(db, organisationId, ids)
  return {
    ...answer,
    data: answer.data.map((row) => ({ ...row, workspace: slugs.get(String(row.workspace)) ?? row.workspace })),
  }
}
