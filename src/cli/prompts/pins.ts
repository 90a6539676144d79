import { parsePrompt, parseTemplate } from '../../calls/template/index.ts'
import { partialRows } from '../../store/prompt-partials.ts'
import { readPromptReference } from '../../store/prompt-reference.ts'
import type { Db } from '../../store/types.ts'
import type { Workspace } from '../../store/workspaces.ts'
import { type PromptSet, versionsOf } from './entries.ts'
import { PARTIALS, PROMPTS } from './layout.ts'
import type { PushPlan } from './push.ts'

/**
 * Templates that name partials which will not be there, one sentence each: they may be stored, but calls that use them are
 * refused. Above all the number of a version, as in `{{>slug@5}}`, is that of one database, and says nothing in another.
 */
export const findBrokenPins = async (
  db: Db,
  workspace: Workspace,
  set: PromptSet,
  plan: Pick<PushPlan, 'partials' | 'strays'>,
): Promise<readonly string[]> => {
  const warnings: string[] = []
  for (const { owner, references } of ownersOf(set)) {
    for (const reference of new Set(references)) {
      if (await isThere(db, workspace, reference, plan)) continue
      warnings.push(`${owner} names the partial '${reference}', which is not in the workspace`)
    }
  }
  return warnings
}

interface Owner {
  readonly owner: string
  /** Of partials, as the templates write them. */
  readonly references: readonly string[]
}

const ownersOf = ({ prompts = [], partials = [] }: PromptSet): readonly Owner[] => [
  ...prompts.map((prompt) => ({
    owner: `${PROMPTS}/${prompt.slug}`,
    references: versionsOf(prompt).flatMap(
      ({ content: { template, isRawTemplate: isRaw } }) => parsePrompt(template, { isRaw }).partials,
    ),
  })),
  ...partials.map((partial) => ({
    owner: `${PARTIALS}/${partial.slug}`,
    references: versionsOf(partial).flatMap(({ content }) => parseTemplate(content.template).partials),
  })),
]

/** Whether it is there when all is done that is planned: before that, too, as after a dry run. */
const isThere = async (
  db: Db,
  { id: workspaceId }: Workspace,
  reference: string,
  { partials, strays }: Pick<PushPlan, 'partials' | 'strays'>,
): Promise<boolean> => {
  const read = readPromptReference(reference)
  if (read === undefined || read.selector.kind === 'label' || strays.partials.includes(read.name)) return false
  const number = read.selector.kind === 'number' ? read.selector.number : undefined
  const planned = partials.find(({ entry }) => entry.slug === read.name)
  if (planned !== undefined) {
    if (number === undefined || planned.versions.adds.some((add) => add.number === number)) return true
  }
  const partial = await partialRows.find(db, { workspaceId, reference: read.name })
  if (partial === undefined || (partial.status !== 'active' && planned === undefined)) return false
  return number === undefined || (await partialRows.findVersion(db, partial.id, number)) !== undefined
}
