import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Panel } from '../ui/page.tsx'
import { useSave } from '../ui/use-save.ts'
import type { RecordRow } from './record-table.tsx'

/** What people thought of the answer, and a word of one's own. */
export const Feedback = ({ row }: { readonly row: RecordRow }) => {
  const { user, workspace } = useSession()
  const isWriter = useMay('logs.write')
  // It is kept with a workspace. Owners and admins may do what its admins may; a key of the organisation is in none.
  const mayWrite = user !== null && (isWriter || user.role !== 'member')
  const [value, setValue] = useState('5')
  // What was given here is in the store a moment later.
  const [given, setGiven] = useState<RecordRow['feedback']>([])
  const save = useSave(
    () =>
      take(
        gateway.POST('/v2/feedback', {
          headers: { 'x-gateway-workspace': workspace },
          body: { trace_id: row.trace_id, value: Number(value) },
        }),
      ),
    ({ feedback_ids: ids }) => setGiven([...given, ...ids.map((id) => ({ id, value: Number(value), weight: 1 }))]),
  )
  const votes = [...row.feedback, ...given.filter(({ id }) => row.feedback.every((vote) => vote.id !== id))]
  if (votes.length === 0 && !mayWrite) return null
  return (
    <Panel title="Feedback">
      <div className="grid gap-4">
        {votes.length > 0 && (
          <ul aria-label="Feedback" className="flex flex-wrap gap-2">
            {votes.map((vote) => (
              <li key={vote.id}>
                <Badge tone={vote.value < 0 ? 'bad' : 'good'}>
                  {vote.value} × {vote.weight}
                </Badge>
              </li>
            ))}
          </ul>
        )}
        {mayWrite && (
          <div className="max-w-xs">
            <Form onSubmit={() => save.run(undefined)} save={save} submit="Give feedback">
              <TextField
                label="Value"
                hint="From −10 to 10."
                type="number"
                min={-10}
                max={10}
                required
                value={value}
                error={save.errorOf('value')}
                onChange={(event) => setValue(event.target.value)}
              />
            </Form>
          </div>
        )}
        {given.length > 0 && <p role="status">It is kept.</p>}
      </div>
    </Panel>
  )
}
