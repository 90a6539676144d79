import { isNotNull } from 'drizzle-orm'
import { mirrorState } from '../schema/mirror.ts'
import type { Db } from '../types.ts'

/** Whether the database holds what a control plane has sent, and is changed there. */
export const isMirror = async (db: Db): Promise<boolean> => {
  const rows = await db.select({ id: mirrorState.id }).from(mirrorState).where(isNotNull(mirrorState.deploymentId))
  return rows.length > 0
}
