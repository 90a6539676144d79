import { Badge } from '../ui/badge.tsx'
import type { Branch } from './tree.ts'

export interface TreeViewProps {
  readonly branch: Branch
  /** Path of what a call would go to. */
  readonly chosen?: string | undefined
}

/** A drawing of the way of calls through a config: a list inside a list, which screen readers read too. */
export const TreeView = ({ branch, chosen }: TreeViewProps) => (
  <ul aria-label="Routing">
    <BranchView branch={branch} chosen={chosen} />
  </ul>
)

const BranchView = ({ branch: { path, title, when, notes, branches }, chosen }: TreeViewProps) => {
  const isChosen = chosen === path
  return (
    <li>
      <div
        className={`my-1 inline-flex flex-wrap items-center gap-2 rounded-md border bg-panel px-3 py-1.5 ${isChosen ? 'border-accent' : 'border-line'}`}
      >
        <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
        <span className="text-soft">{when}</span>
        {notes.map((note) => (
          <Badge key={note}>{note}</Badge>
        ))}
        {isChosen && <Badge tone="good">this call</Badge>}
      </div>
      {branches.length > 0 && (
        <ul className="ml-3 border-l-2 border-line pl-4">
          {branches.map((branch) => (
            <BranchView key={branch.path} branch={branch} chosen={chosen} />
          ))}
        </ul>
      )}
    </li>
  )
}
