import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { RANGES, type Range, windowOf } from '../ui/period.ts'
import { useSave } from '../ui/use-save.ts'

type NewExport = paths['/v2/logs/exports']['post']['requestBody']['content']['application/json']
type Field = NewExport['requested_data'][number]

const FORMATS = { jsonl: 'JSON Lines', csv: 'CSV' } as const
const ENDED = { '': 'Either way', well: 'Well', badly: 'Badly' } as const

const FIELDS: readonly Field[] = [
  ...(['id', 'trace_id', 'created_at', 'is_success', 'response_status_code', 'ai_org', 'ai_model'] as const),
  ...(['req_units', 'res_units', 'total_units', 'cost', 'cost_currency', 'response_time', 'request_url'] as const),
  ...(['mode', 'config', 'prompt_slug', 'metadata', 'hook_results', 'request', 'response'] as const),
]

/** More come by further pages, which the API has. */
const MOST_ROWS = 50_000

const isBody = (field: Field): boolean => field === 'request' || field === 'response'

const whole = FIELDS.filter((field) => !isBody(field))

/** Makes an export and starts it. */
export const ExportDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { workspace } = useSession()
  const mayReadBodies = useMay('logs.view')
  const [description, setDescription] = useState('')
  const [range, setRange] = useState<Range>('7d')
  const [ended, setEnded] = useState<keyof typeof ENDED>('')
  const [model, setModel] = useState('')
  const [format, setFormat] = useState<keyof typeof FORMATS>('jsonl')
  const [fields, setFields] = useState<readonly Field[]>(whole)
  const save = useSave(async () => {
    const body: NewExport = {
      ...{ workspace_id: workspace, format, requested_data: [...fields] },
      ...(description === '' ? {} : { description }),
      filters: {
        ...{ page_size: MOST_ROWS, current_page: 0, ...windowOf({ range }, range) },
        ...(ended === '' ? {} : { is_success: ended === 'well' }),
        ...(model === '' ? {} : { model }),
      },
    }
    const { id } = await take(gateway.POST('/v2/logs/exports', { body }))
    const params = { path: { exportId: id }, query: { workspace_id: workspace } }
    await take(gateway.POST('/v2/logs/exports/{exportId}/start', { params, body: {} }))
  }, onClose)
  return (
    <Dialog title="New export" about="At most 50,000 records." onClose={onClose}>
      <Form onSubmit={() => save.run(undefined)} save={save} submit="Export" onCancel={onClose}>
        <TextField
          label="What it is for"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Time"
            options={RANGES}
            value={range}
            onChange={(event) => setRange(event.target.value as Range)}
          />
          <SelectField
            label="Ended"
            options={ENDED}
            value={ended}
            onChange={(event) => setEnded(event.target.value as keyof typeof ENDED)}
          />
          <TextField label="Model" value={model} onChange={(event) => setModel(event.target.value)} />
          <SelectField
            label="Form"
            options={FORMATS}
            value={format}
            onChange={(event) => setFormat(event.target.value as keyof typeof FORMATS)}
          />
        </div>
        <fieldset className="grid gap-2 rounded-md border border-line p-3">
          <legend className="px-1 font-medium">Fields</legend>
          <div className="grid grid-cols-2 gap-1.5 sm:grid-cols-3">
            {FIELDS.filter((field) => mayReadBodies || !isBody(field)).map((field) => (
              <label key={field} className="flex items-center gap-1.5">
                <input
                  type="checkbox"
                  checked={fields.includes(field)}
                  onChange={(event) =>
                    setFields(event.target.checked ? [...fields, field] : fields.filter((other) => other !== field))
                  }
                />
                {field}
              </label>
            ))}
          </div>
        </fieldset>
      </Form>
    </Dialog>
  )
}
