import { printable } from '../../observe/terminal.ts'
import { table } from '../terminal/table.ts'

export type Action = 'created' | 'changed' | 'deleted' | 'unchanged'

/** What a push did with one thing. */
export interface Row {
  readonly action: Action
  readonly kind: 'collection' | 'label' | 'partial' | 'prompt'
  /** Its slug, or the name where that is what files know. */
  readonly name: string
  /** Number of the newest version. */
  readonly version?: number
  /** What is different, and what was left as it is. */
  readonly details: readonly string[]
}

/** A table of what there is to say something about, and how many there are of each. */
export const showRows = (rows: readonly Row[], isDryRun: boolean): string => {
  const told = rows.filter(({ action, details }) => action !== 'unchanged' || details.length > 0)
  const counted = (['created', 'changed', 'deleted', 'unchanged'] as const).map(
    (action) => `${rows.filter((row) => row.action === action).length} ${action}`,
  )
  return [
    told.length === 0
      ? ''
      : table([
          ['ACTION', 'KIND', 'NAME', 'VERSION', 'DETAILS'],
          ...told.map(({ action, kind, name, version, details }) => [
            action,
            kind,
            printable(name),
            version === undefined ? '' : String(version),
            printable(details.join('; ')),
          ]),
        ]),
    `${counted.join(', ')}.\n`,
    isDryRun ? 'Nothing was written: this was a dry run.\n' : '',
  ].join('')
}
