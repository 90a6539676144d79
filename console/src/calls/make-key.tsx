import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Failed } from '../ui/states.tsx'
import { useSave } from '../ui/use-save.ts'
import { setOwnKey } from './own-key.ts'

/** A key of the console calls models, and no more. It ends by itself. */
const SCOPES = ['completions.write', 'prompts.render']
const LIFE_MS = 24 * 3_600_000

/** Makes a key for calls from this page, or takes one that somebody has. */
export const MakeKey = () => {
  const { workspace, user } = useSession()
  const mayMakeService = useMay('workspace_service_api_keys.create')
  const [pasted, setPasted] = useState('')
  const make = useSave(
    () => {
      const body = {
        name: `Console, ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`,
        scopes: SCOPES,
        workspace_id: workspace,
        expires_at: new Date(Date.now() + LIFE_MS).toISOString(),
      }
      return take(
        mayMakeService ? gateway.POST('/v2/api-keys/service', { body }) : gateway.POST('/v2/api-keys/user', { body }),
      )
    },
    ({ key }) => setOwnKey(key),
  )
  return (
    <div className="grid gap-4">
      {(mayMakeService || user !== null) && (
        <div className="grid justify-items-start gap-2">
          <Button look="primary" disabled={make.isRunning} onClick={() => make.run(undefined)}>
            {make.isRunning ? 'One moment…' : 'Make a key'}
          </Button>
          <p className="text-soft">It calls models for a day, and is kept in this tab alone.</p>
          {make.failure !== undefined && <Failed error={make.failure} />}
        </div>
      )}
      <details>
        <summary className="text-soft">Use a key that I have</summary>
        <div className="mt-3 max-w-md">
          <Form
            onSubmit={() => setOwnKey(pasted.trim())}
            save={{ isRunning: false, failure: undefined }}
            submit="Use it"
          >
            <TextField
              label="API key"
              type="password"
              autoComplete="off"
              required
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
            />
          </Form>
        </div>
      </details>
    </div>
  )
}
