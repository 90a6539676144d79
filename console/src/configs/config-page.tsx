import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { Editor } from '../ui/editor.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'
import { useSave } from '../ui/use-save.ts'
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

/** One config, or one that is to be. */
export const ConfigPage = () => {
  const { slug } = useParams({ from: '/configs/$slug' })
  const { workspace } = useSession()
  const isNew = slug === 'new'
  const query = useQuery({
    queryKey: ['configs', workspace, slug],
    queryFn: () =>
      take(gateway.GET('/v2/configs/{slug}', { params: { path: { slug }, query: { workspace_id: workspace } } })),
    enabled: !isNew,
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
        <ConfigForm key="new" slug={undefined} name="" config={FIRST} />
      ) : (
        <Answered query={query}>
          {({ name, data }) => <ConfigForm key={slug} slug={slug} name={name} config={data.config} />}
        </Answered>
      )}
    </Page>
  )
}

interface ConfigFormProps {
  readonly slug: string | undefined
  readonly name: string
  readonly config: object
}

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const ConfigForm = ({ slug, name: given, config }: ConfigFormProps) => {
  const { workspace } = useSession()
  const navigate = useNavigate()
  const maySave = useMay(slug === undefined ? 'configs.create' : 'configs.update')
  const [name, setName] = useState(given)
  const [text, setText] = useState(() => JSON.stringify(config, null, 2))
  const [chosen, setChosen] = useState<string>()
  const save = useSave(
    async () => {
      // As it was typed: the gateway says what is wrong with it, and where.
      if (slug === undefined) {
        const body = { name, config: text, workspace_id: workspace }
        return (await take(gateway.POST('/v2/configs', { body }))).slug
      }
      await take(
        gateway.PUT('/v2/configs/{slug}', {
          params: { path: { slug }, query: { workspace_id: workspace } },
          body: { name, config: text },
        }),
      )
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
          <ConfigFields {...{ name, setName, text, setText, maySave, save }} />
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
  readonly save: ReturnType<typeof useSave<undefined, string>>
}

const ConfigFields = ({ name, setName, text, setText, maySave, save }: ConfigFieldsProps) => {
  const fields = (
    <>
      <TextField
        label="Name"
        required
        disabled={!maySave}
        value={name}
        error={save.errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Editor label="Config as JSON" language="json" value={text} onChange={setText} />
      <ConfigCheck text={text} />
      {save.output !== undefined && !save.isRunning && save.failure === undefined && (
        <p role="status" className="text-good">
          Saved.
        </p>
      )}
    </>
  )
  if (!maySave) return <div className="grid gap-4">{fields}</div>
  return (
    <Form onSubmit={() => save.run(undefined)} save={save} submit="Save">
      {fields}
    </Form>
  )
}
