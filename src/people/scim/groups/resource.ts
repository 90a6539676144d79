import { defined } from '../../../core/defined.ts'
import type { ScimGroup } from '../../../store/objects/scim-groups.ts'
import type { Fields } from '../documents.ts'
import { GROUP_SCHEMA } from '../schemas/group.ts'
import { versionOf } from '../version.ts'

/** A group in the form of RFC 7643, section 4.2. @param members absent: they are not asked for */
export const toGroupResource = (group: ScimGroup, members: readonly string[] | undefined, base: string): Fields =>
  defined({
    schemas: [GROUP_SCHEMA.id],
    id: group.id,
    externalId: group.externalId ?? undefined,
    displayName: group.displayName,
    members: members?.map((id) => ({ value: id, $ref: `${base}/Users/${id}`, type: 'User' })),
    meta: {
      resourceType: 'Group',
      created: group.createdAt.toISOString(),
      lastModified: group.lastUpdatedAt.toISOString(),
      location: `${base}/Groups/${group.id}`,
      version: versionOf(group),
    },
  })
