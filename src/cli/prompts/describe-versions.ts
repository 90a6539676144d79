import type { VersionsPlan } from './plan-versions.ts'
import type { PushOptions } from './push-options.ts'

/** What a plan changes, and what it leaves as it is though the files say something else. */
export interface Described {
  readonly changes: readonly string[]
  readonly notes: readonly string[]
}

/** @param isNew what is new is published as the files say, without being asked to */
export const describeVersions = (
  { adds, labels, strays, publication }: VersionsPlan<unknown>,
  { publish, prune }: PushOptions,
  isNew: boolean,
): Described => {
  const versions = adds.map(({ number }) => number).join(', ')
  const moved = labels.map(({ name, from, to }) => `${name}: ${from === undefined ? '' : `${from} `}-> ${to}`)
  const published = publication && publicationOf(publication, publish || isNew)
  return {
    changes: [
      ...(adds.length === 0 || isNew ? [] : [`new: ${versions}`]),
      ...moved,
      ...(prune ? strays.map(({ name, from }) => `${name}: ${from} -> none`) : []),
      ...(published?.changes ?? []),
    ],
    notes: [
      ...(prune ? [] : strays.map(({ name, from }) => `${name} stays on ${from} (--prune)`)),
      ...(published?.notes ?? []),
    ],
  }
}

const publicationOf = ({ from, to }: { readonly from?: number; readonly to: number }, isDone: boolean): Described => {
  if (!isDone) return { changes: [], notes: [`published stays ${from} (--publish)`] }
  return { changes: [`published: ${from === undefined ? '' : `${from} -> `}${to}`], notes: [] }
}
