import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import type { Draft } from '../resource/fields-dialog.tsx'
import { Editor } from '../ui/editor.tsx'
import { AreaField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Panel } from '../ui/page.tsx'
import { useSave } from '../ui/use-save.ts'
import { NEW_PROMPT, type PromptVersion, toCreation, toDraft, toVersion } from './model.ts'
import { RunPrompt } from './run-prompt.tsx'
import { VersionList } from './version-list.tsx'

/** What a prompt says and how it is called. @param versions the newest first; none: it is new */
export const PromptForm = ({ versions }: { readonly versions: readonly PromptVersion[] }) => {
  const { workspace } = useSession()
  const navigate = useNavigate()
  const [newest] = versions
  const slug = newest?.slug
  const maySave = useMay(slug === undefined ? 'prompts.create' : 'prompts.update')
  const [draft, setDraft] = useState<Draft>(newest === undefined ? NEW_PROMPT : toDraft(newest))
  const change = (part: Draft): void => setDraft((before) => ({ ...before, ...part }))
  const save = useSave(
    async () => {
      if (slug === undefined) {
        const body = { ...toCreation(draft), workspace_id: workspace }
        return (await take(gateway.POST('/v2/prompts', { body }))).slug
      }
      await take(
        gateway.PUT('/v2/prompts/{promptId}', {
          params: { path: { promptId: slug }, query: { workspace_id: workspace } },
          body: toVersion(draft),
        }),
      )
      return slug
    },
    (saved) => {
      if (slug === undefined) void navigate({ to: '/prompts/$id', params: { id: saved } })
      change({ description: '' })
    },
  )
  const fields = (
    <>
      <TextField
        label="Name"
        required
        value={draft.name ?? ''}
        error={save.errorOf('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <div className="grid gap-1">
        <span className="font-medium">Template</span>
        <Editor label="Template" language="text" value={draft.string ?? ''} onChange={(string) => change({ string })} />
        <p className="text-soft">Messages as JSON, or a text. {'{{name}}'} stands for a variable.</p>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Model"
          value={draft.model ?? ''}
          error={save.errorOf('model')}
          onChange={(event) => change({ model: event.target.value })}
        />
        <TextField
          label="Provider"
          hint="Slug of a stored one. Empty: the call names it."
          value={draft.virtual_key ?? ''}
          error={save.errorOf('virtual_key')}
          onChange={(event) => change({ virtual_key: event.target.value })}
        />
      </div>
      <AreaField
        label="Parameters"
        hint='JSON, such as {"temperature": 0.2}.'
        spellCheck={false}
        className="font-mono text-xs"
        value={draft.parameters ?? ''}
        error={save.errorOf('parameters')}
        onChange={(event) => change({ parameters: event.target.value })}
      />
      <TextField
        label="What is new in it"
        value={draft.description ?? ''}
        onChange={(event) => change({ description: event.target.value })}
      />
      {save.output !== undefined && !save.isRunning && save.failure === undefined && (
        <p role="status" className="text-good">
          Saved.
        </p>
      )}
    </>
  )
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Prompt">
        {maySave ? (
          <Form
            onSubmit={() => save.run(undefined)}
            save={save}
            submit={slug === undefined ? 'Save' : 'Save as a new version'}
          >
            {fields}
          </Form>
        ) : (
          <fieldset disabled className="grid gap-4">
            {fields}
          </fieldset>
        )}
      </Panel>
      {newest !== undefined && (
        <div className="grid min-w-0 content-start gap-4">
          <RunPrompt versions={versions} />
          <VersionList versions={versions} onTake={(version) => setDraft(toDraft(version))} />
        </div>
      )}
    </div>
  )
}
