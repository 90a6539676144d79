import { labelVersion, prompts, relabel } from '../../management/prompts/versions.ts'
import type { AuditEntry } from '../../management/route.ts'
import type { VersionLabel } from '../../store/prompt-labels.ts'
import type { Prompt, PromptAt } from '../../store/prompts.ts'
import type { Db } from '../../store/types.ts'

interface LabelPush {
  readonly transaction: Db
  audit(entry: AuditEntry): void
}

/** Puts labels on versions. The prompt must have been found with the lock `change`. */
export const moveLabels = async (
  push: LabelPush,
  prompt: Prompt,
  moves: readonly { readonly name: string; readonly to: number }[],
): Promise<void> => {
  for (const { name, to } of moves) {
    await changeLabels(push, prompt, to, (at) => labelVersion(push.transaction, at, name))
  }
}

/** Takes labels off the versions that carry them; other labels of these versions stay. */
export const clearLabels = async (
  push: LabelPush,
  prompt: Prompt,
  strays: readonly { readonly name: string; readonly from: number }[],
): Promise<void> => {
  const gone = new Set(strays.map(({ name }) => name))
  for (const number of new Set(strays.map(({ from }) => from))) {
    await changeLabels(push, prompt, number, async (at, labels) => {
      await labelVersion(push.transaction, at, null)
      for (const { name } of labels) if (!gone.has(name)) await labelVersion(push.transaction, at, name)
    })
  }
}

const changeLabels = async (
  { transaction, audit }: LabelPush,
  prompt: Prompt,
  number: number,
  change: (at: PromptAt, labels: readonly VersionLabel[]) => Promise<void>,
): Promise<void> => {
  const at = await prompts.at(transaction, prompt, number)
  audit(await relabel(transaction, at, (labels) => change(at, labels)))
}
