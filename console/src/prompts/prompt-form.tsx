import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { EditForm } from '../resource/edit-form.tsx'
import type { Draft } from '../resource/fields-dialog.tsx'
import type { Stored } from '../resource/stored.tsx'
import { type Edit, useEdit } from '../resource/use-edit.ts'
import { Editor } from '../ui/editor.tsx'
import { AreaField, TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { NEW_PROMPT, type PromptVersion, toCreation, toDraft, toVersion } from './model.ts'
import { RunPrompt } from './run-prompt.tsx'
import { VersionList } from './version-list.tsx'

export interface PromptFormProps {
  /** The newest version, as it was when it was opened; absent: the prompt is new. */
  readonly stored: Stored<PromptVersion> | undefined
  /** Those that there are by now, the newest first. */
  readonly versions: readonly PromptVersion[]
}

/** What a prompt says and how it is called. */
export const PromptForm = ({ stored, versions }: PromptFormProps) => {
  const { workspace } = useSession()
  const navigate = useNavigate()
  const slug = stored?.data.slug
  const maySave = useMay(slug === undefined ? 'prompts.create' : 'prompts.update')
  const [draft, setDraft] = useState<Draft>(stored === undefined ? NEW_PROMPT : toDraft(stored.data))
  const change = (part: Draft): void => setDraft((before) => ({ ...before, ...part }))
  const save: Edit<PromptVersion, string> = useEdit(
    stored,
    async (headers) => {
      if (slug === undefined) {
        const body = { ...toCreation(draft), workspace_id: workspace }
        return (await take(gateway.POST('/v2/prompts', { body }))).slug
      }
      const saved = await take(
        gateway.PUT('/v2/prompts/{promptId}', {
          params: { path: { promptId: slug }, query: { workspace_id: workspace } },
          body: toVersion(draft),
          headers,
        }),
      )
      // Where somebody was quick to change it again, that is for the next time to find out.
      const now = await stored?.look().catch(() => undefined)
      if (now?.data.prompt_version_id === saved.prompt_version_id && now.data.name === draft.name) save.goOnFrom(now)
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
          <EditForm edit={save} submit={slug === undefined ? 'Save' : 'Save as a new version'}>
            {fields}
          </EditForm>
        ) : (
          <fieldset disabled className="grid gap-4">
            {fields}
          </fieldset>
        )}
      </Panel>
      {stored !== undefined && (
        <div className="grid min-w-0 content-start gap-4">
          <RunPrompt versions={versions} />
          <VersionList versions={versions} onTake={(version) => setDraft(toDraft(version))} />
        </div>
      )}
    </div>
  )
}
