import type { ReactNode } from 'react'

export interface StepProps {
  readonly title: string
  readonly isDone: boolean
  readonly children: ReactNode
}

/** One line of the checklist. */
export const Step = ({ title, isDone, children }: StepProps) => (
  <li className="grid grid-cols-[2rem_1fr] gap-3 rounded-lg border border-line bg-panel p-4">
    <span
      aria-hidden
      className={`grid size-7 place-items-center rounded-full border ${isDone ? 'border-good text-good' : 'border-line text-soft'}`}
    >
      {isDone ? '✓' : '·'}
    </span>
    <div className="grid min-w-0 gap-3">
      <h2 className="font-semibold">
        {title}
        <span className="sr-only">{isDone ? ', done' : ', to do'}</span>
      </h2>
      {children}
    </div>
  </li>
)
