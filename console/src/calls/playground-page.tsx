import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { AreaField, TextField } from '../ui/field.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { ColumnView } from './column-view.tsx'
import { MakeKey } from './make-key.tsx'
import { setOwnKey, useOwnKey } from './own-key.ts'
import { newColumn, useColumns } from './use-columns.ts'

const FIRST = newColumn(1, 'mock')
const MOST = 4

/** Talks to models as programs would, to several at once. */
export const PlaygroundPage = () => {
  const key = useOwnKey()
  const { columns, isRunning, aim, add, remove, ask, stop, clear } = useColumns(FIRST)
  const [text, setText] = useState('')
  const [system, setSystem] = useState('')
  const send = (): void => {
    if (key === undefined || text.trim() === '') return
    void ask(key, text, system)
    setText('')
  }
  return (
    <Page
      title="Playground"
      about="One question, to one model or to several beside each other."
      actions={
        <>
          <Button disabled={columns.length >= MOST} onClick={add}>
            Beside another
          </Button>
          <Button onClick={clear}>Begin anew</Button>
        </>
      }
    >
      {key === undefined ? (
        <Panel title="A key for calls">
          <MakeKey />
        </Panel>
      ) : (
        <div className="flex items-center gap-2 text-soft">
          <span>Calls are made with the key of this tab.</span>
          <Button look="quiet" onClick={() => setOwnKey(undefined)}>
            Use another
          </Button>
        </div>
      )}
      <Offers />
      <div className={`grid gap-4 ${columns.length > 1 ? 'md:grid-cols-2' : ''}`}>
        {columns.map((column, index) => (
          <ColumnView
            key={column.id}
            column={column}
            title={`Model ${index + 1}`}
            onAim={(target) => aim(column.id, target)}
            {...(columns.length > 1 ? { onRemove: () => remove(column.id) } : {})}
          />
        ))}
      </div>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <details>
          <summary className="text-soft">System message</summary>
          <div className="mt-2">
            <TextField label="System message" value={system} onChange={(event) => setSystem(event.target.value)} />
          </div>
        </details>
        <AreaField
          label="Question"
          hint="Ctrl and Enter send it."
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
          }}
        />
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={key === undefined || isRunning || text.trim() === ''}>
            Send
          </Button>
          {isRunning && <Button onClick={stop}>Stop</Button>}
        </div>
      </form>
    </Page>
  )
}

/** Names that the fields offer: stored providers and configs of the workspace. */
const Offers = () => {
  const { workspace } = useSession()
  const query = { workspace_id: workspace, page_size: 100 }
  const providers = useQuery({
    queryKey: ['virtual-keys', workspace],
    queryFn: () => take(gateway.GET('/v2/virtual-keys', { params: { query } })),
    enabled: useMay('virtual_keys.list'),
  })
  const configs = useQuery({
    queryKey: ['configs', workspace],
    queryFn: () => take(gateway.GET('/v2/configs', { params: { query } })),
    enabled: useMay('configs.list'),
  })
  return (
    <>
      <datalist id="playground-models">
        <option value="mock" />
        {providers.data?.data.map(({ slug }) => (
          <option key={slug} value={`@${slug}/`} />
        ))}
      </datalist>
      <datalist id="playground-configs">
        {configs.data?.data.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
