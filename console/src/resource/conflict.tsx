import { Button } from '../ui/button.tsx'
import { Scroll } from '../ui/scroll.tsx'
import { Failed } from '../ui/states.tsx'
import { type Change, changesBetween, type Line } from './changes.ts'
import type { Conflict } from './use-edit.ts'

export interface ConflictNoteProps {
  readonly conflict: Conflict
  /** What has not happened. */
  readonly undone: string
  /** On the button that does it all the same. */
  readonly anyway: string
}

/** Says that somebody else was faster, what they changed, and leaves the choice. */
export const ConflictNote = ({ conflict, undone, anyway }: ConflictNoteProps) => {
  const { before, now, look, isLooking, failure, saveAnyway } = conflict
  return (
    <div role="alert" className="grid gap-3 rounded-md border border-warn bg-panel p-4">
      <p className="font-medium">Somebody else changed this since you opened it. {undone}</p>
      {now !== undefined && <Changes changes={changesBetween(before, now)} />}
      {failure !== undefined && <Failed error={failure} />}
      <div className="flex flex-wrap gap-2">
        <Button disabled={isLooking} onClick={look}>
          {isLooking ? 'One moment…' : 'Show what is there now'}
        </Button>
        <Button look="danger" onClick={saveAnyway}>
          {anyway}
        </Button>
      </div>
    </div>
  )
}

const Changes = ({ changes }: { readonly changes: readonly Change[] }) =>
  changes.length === 0 ? (
    <p className="text-soft">What is there now says the same as what you opened.</p>
  ) : (
    <section aria-label="What is there now">
      <dl className="grid gap-2">
        {changes.map(({ field, before, now, lines }) => (
          <div key={field} className="grid gap-1">
            <dt className="text-soft first-letter:uppercase">{field}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">
              {lines === undefined ? <ShortChange before={before} now={now} /> : <Lines field={field} lines={lines} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )

const ShortChange = ({ before, now }: { readonly before: string | undefined; readonly now: string | undefined }) => (
  <>
    <del className="text-bad">{before ?? 'nothing'}</del> →{' '}
    <ins className="text-good no-underline">{now ?? 'nothing'}</ins>
  </>
)

const SIGNS = { same: ' ', gone: '−', new: '+' } as const
const COLOURS = { same: 'text-soft', gone: 'text-bad', new: 'text-good' } as const

const Lines = ({ field, lines }: { readonly field: string; readonly lines: readonly Line[] }) => (
  <Scroll label={`Changes of ${field}`} className="max-h-64 overflow-auto rounded bg-raised p-2">
    <pre className="font-mono text-xs">
      {lines.map(({ kind, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same line may stand there twice
        <span key={at} className={`block ${COLOURS[kind]}`}>
          {SIGNS[kind]} {text}
        </span>
      ))}
    </pre>
  </Scroll>
)
