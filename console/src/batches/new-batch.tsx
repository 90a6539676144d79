import { useState } from 'react'
import { PROVIDERS } from '../api/known.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { useSave } from '../ui/use-save.ts'
import { beginBatch } from './batches.ts'

const ENDPOINTS = Object.fromEntries(
  ['chat/completions', 'completions', 'embeddings', 'responses', 'moderations'].map((path) => [
    `/v1/${path}`,
    `/v1/${path}`,
  ]),
)

/** Begins a batch of a file of lines. */
export const NewBatch = ({ apiKey }: { readonly apiKey: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex justify-end">
      <Button look="primary" onClick={() => setOpen(true)}>
        New batch
      </Button>
      {isOpen && <BatchDialog apiKey={apiKey} onClose={() => setOpen(false)} />}
    </div>
  )
}

const BatchDialog = ({ apiKey, onClose }: { readonly apiKey: string; readonly onClose: () => void }) => {
  const [file, setFile] = useState<File>()
  const [endpoint, setEndpoint] = useState('/v1/chat/completions')
  const [provider, setProvider] = useState('')
  const save = useSave(async () => {
    if (file !== undefined) await beginBatch(apiKey, file, endpoint, provider)
  }, onClose)
  return (
    <Dialog title="New batch" about="Each line is a call of its own, with the limits of this key." onClose={onClose}>
      <Form onSubmit={() => save.run(undefined)} save={save} submit="Upload and begin" onCancel={onClose}>
        <Field label="Lines" hint="JSON Lines of custom_id, method, url and body.">
          {(tie) => (
            <input
              {...tie}
              type="file"
              required
              accept=".jsonl,.ndjson,.json,.txt"
              className="w-full rounded-md border border-line bg-panel p-1.5 file:mr-3 file:rounded file:border-0 file:bg-raised file:px-2 file:py-1 file:text-ink"
              onChange={(event) => setFile(event.target.files?.[0])}
            />
          )}
        </Field>
        <SelectField
          label="Calls"
          options={ENDPOINTS}
          value={endpoint}
          onChange={(event) => setEndpoint(event.target.value)}
        />
        <TextField
          label="Provider"
          hint="Empty: lines name it with their model, as @name/model."
          list="batch-providers"
          autoComplete="off"
          value={provider}
          onChange={(event) => setProvider(event.target.value)}
        />
        <datalist id="batch-providers">
          {PROVIDERS.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
      </Form>
    </Dialog>
  )
}
