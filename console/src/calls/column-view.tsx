import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { count, duration, money } from '../ui/format.ts'
import { Failed } from '../ui/states.tsx'
import type { Target } from './chat.ts'
import type { Message } from './messages.ts'
import { Said } from './said.tsx'
import { ToolResults } from './tool-results.tsx'
import type { Column } from './use-columns.ts'

export interface ColumnViewProps {
  readonly column: Column
  readonly title: string
  readonly onAim: (target: Target) => void
  /** Absent: it is the only one. */
  readonly onRemove?: () => void
  /** Tells the model what its tools came to. Absent: it cannot be asked now. */
  readonly onTell: ((results: readonly Message[]) => void) | undefined
}

/** One model: what it is asked, says, takes and costs. */
export const ColumnView = ({ column, title, onAim, onRemove, onTell }: ColumnViewProps) => {
  const { target, messages, coming, last, failure } = column
  const waiting = coming === undefined ? messages.at(-1)?.tool_calls : undefined
  return (
    <section aria-label={title} className="grid min-w-0 content-start gap-3 rounded-lg border border-line bg-panel p-4">
      <div className={`grid gap-3 ${onRemove === undefined ? 'sm:grid-cols-2' : ''}`}>
        <div className={onRemove === undefined ? '' : 'grid grid-cols-[1fr_auto] items-start gap-2'}>
          <TextField
            label={`${title}: what is called`}
            hint="Such as mock or @name/model."
            list="playground-models"
            autoComplete="off"
            value={target.model}
            onChange={(event) => onAim({ ...target, model: event.target.value })}
          />
          {onRemove !== undefined && (
            <Button className="mt-6" aria-label={`Remove ${title}`} onClick={onRemove}>
              <span aria-hidden>✕</span>
            </Button>
          )}
        </div>
        <TextField
          label={`${title}: config`}
          hint="Slug of a stored config, or empty."
          list="playground-configs"
          autoComplete="off"
          value={target.config}
          onChange={(event) => onAim({ ...target, config: event.target.value })}
        />
      </div>
      <div className="grid gap-2" aria-live="polite">
        {messages.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a conversation only grows
          <Said key={index} message={message} />
        ))}
        {coming !== undefined && <Said message={{ role: 'assistant', content: coming === '' ? '…' : coming }} />}
      </div>
      {waiting !== undefined && onTell !== undefined && (
        <ToolResults key={messages.length} calls={waiting} onTell={onTell} />
      )}
      {failure !== undefined && <Failed error={failure} />}
      {last !== undefined && (
        <p className="text-soft">
          First word after {duration(last.firstByteMs)}, all after {duration(last.totalMs)}; {count(last.inputTokens)}{' '}
          tokens in, {count(last.outputTokens)} out. <Cost requestId={last.requestId} />
        </p>
      )}
    </section>
  )
}

const WATCH_MS = 1_000

/** What the record says of it, once that is there. */
const Cost = ({ requestId }: { readonly requestId: string | undefined }) => {
  const { workspace } = useSession()
  const mayLook = useMay('logs.list')
  const { data } = useQuery({
    queryKey: ['records', workspace, 'one', requestId],
    queryFn: () =>
      take(
        gateway.GET('/v2/logs', { params: { query: { workspace_slug: workspace, id: requestId ?? '', limit: 1 } } }),
      ),
    enabled: mayLook && requestId !== undefined,
    refetchInterval: ({ state }) => (state.data?.data.length === 1 ? false : WATCH_MS),
  })
  const row = data?.data[0]
  if (row === undefined) return null
  return (
    <>
      Cost: {row.unpriced ? 'no known price' : money(row.cost)}.{' '}
      <Link to="/records/$id" params={{ id: row.id }} className="text-accent underline">
        Record
      </Link>
    </>
  )
}
