import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { gateway, type Tagged, take, takeTagged } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { EditForm } from '../resource/edit-form.tsx'
import { Held, type Stored } from '../resource/stored.tsx'
import { type Edit, useEdit } from '../resource/use-edit.ts'
import { Button } from '../ui/button.tsx'
import { Editor } from '../ui/editor.tsx'
import { TextField } from '../ui/field.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'
import { ConfigCheck } from './config-check.tsx'
import { Evaluation } from './evaluation.tsx'
import { toTree } from './tree.ts'
import { TreeView } from './tree-view.tsx'
import { Versions } from './versions.tsx'

const FIRST = {
  retry: { attempts: 2 },
  strategy: { mode: 'fallback' },
  targets: [{ provider: 'mock', override_params: { model: 'mock' } }],
}

/** A config, as far as the form has to do with it. */
interface Config {
  readonly name: string
  readonly status: string
  readonly version_id: string
  readonly config: object
}

const askConfig = async (slug: string, workspace: string): Promise<Tagged<Config>> => {
  const { data, tag } = await takeTagged(
    gateway.GET('/v2/configs/{slug}', { params: { path: { slug }, query: { workspace_id: workspace } } }),
  )
  const { name, status, version_id } = data
  return { data: { name, status, version_id, config: data.data.config }, tag }
}

/** One config, or one that is to be. */
export const ConfigPage = () => {
  const { slug } = useParams({ from: '/configs/$slug' })
  const { workspace } = useSession()
  const isNew = slug === 'new'
  const query = useQuery({
    queryKey: ['configs', workspace, slug],
    queryFn: () => askConfig(slug, workspace),
    enabled: !isNew,
    // Who comes back starts from what is there then.
    gcTime: 0,
  })
  return (
    <Page
      title={isNew ? 'New config' : `Config ${slug}`}
      actions={
        <Button asChild>
          <Link to="/configs">All configs</Link>
        </Button>
      }
    >
      {isNew ? (
        <ConfigForm key="new" slug={undefined} stored={undefined} />
      ) : (
        <Answered query={query}>
          {(opened) => (
            <Held key={slug} stored={{ ...opened, look: () => askConfig(slug, workspace) }}>
              {(stored) => <ConfigForm slug={slug} stored={stored} />}
            </Held>
          )}
        </Answered>
      )}
    </Page>
  )
}

interface ConfigFormProps {
  /** Absent: it is new. */
  readonly slug: string | undefined
  readonly stored: Stored<Config> | undefined
}

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const ConfigForm = ({ slug, stored }: ConfigFormProps) => {
  const { workspace } = useSession()
  const navigate = useNavigate()
  const maySave = useMay(slug === undefined ? 'configs.create' : 'configs.update')
  const [name, setName] = useState(stored?.data.name ?? '')
  const [text, setText] = useState(() => JSON.stringify(stored?.data.config ?? FIRST, null, 2))
  const [chosen, setChosen] = useState<string>()
  const edit: Edit<Config, string> = useEdit(
    stored,
    async (headers) => {
      // As it was typed: the gateway says what is wrong with it, and where.
      if (slug === undefined) {
        const body = { name, config: text, workspace_id: workspace }
        return (await take(gateway.POST('/v2/configs', { body }))).slug
      }
      const { data: saved } = await take(
        gateway.PUT('/v2/configs/{slug}', {
          params: { path: { slug }, query: { workspace_id: workspace } },
          body: { name, config: text },
          headers,
        }),
      )
      // Where somebody was quick to change it again, that is for the next time to find out.
      const now = await stored?.look().catch(() => undefined)
      if (now?.data.version_id === saved.version_id && now.data.name === name) edit.goOnFrom(now)
      return slug
    },
    (saved) => {
      if (slug === undefined) void navigate({ to: '/configs/$slug', params: { slug: saved } })
    },
  )
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 content-start gap-4">
        <Panel title="Config">
          <ConfigFields {...{ name, setName, text, setText, maySave, edit }} />
        </Panel>
        {slug !== undefined && <Versions slug={slug} onTake={setText} />}
      </div>
      <div className="grid min-w-0 content-start gap-4">
        <Panel title="The way of a call">
          <TreeView branch={toTree(parse(text))} chosen={chosen} />
        </Panel>
        <Evaluation config={parse(text)} onChosen={setChosen} />
      </div>
    </div>
  )
}

interface ConfigFieldsProps {
  readonly name: string
  readonly setName: (name: string) => void
  readonly text: string
  readonly setText: (text: string) => void
  readonly maySave: boolean
  readonly edit: Edit<Config, string>
}

const ConfigFields = ({ name, setName, text, setText, maySave, edit }: ConfigFieldsProps) => {
  const fields = (
    <>
      <TextField
        label="Name"
        required
        disabled={!maySave}
        value={name}
        error={edit.errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Editor label="Config as JSON" language="json" value={text} onChange={setText} />
      <ConfigCheck text={text} />
      {edit.output !== undefined && !edit.isRunning && edit.failure === undefined && (
        <p role="status" className="text-good">
          Saved.
        </p>
      )}
    </>
  )
  if (!maySave) return <div className="grid gap-4">{fields}</div>
  return (
    <EditForm edit={edit} submit="Save">
      {fields}
    </EditForm>
  )
}
