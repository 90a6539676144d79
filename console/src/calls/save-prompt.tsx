import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { FieldsDialog } from '../resource/fields-dialog.tsx'
import { Button } from '../ui/button.tsx'
import type { Target } from './chat.ts'
import type { Json, Message } from './messages.ts'

export interface SavePromptProps {
  readonly target: Target
  readonly messages: readonly Message[]
  /** @throws Failure for what is no JSON */
  readonly parameters: () => Json
}

/** `@main/gpt-5` is the model `gpt-5` of the stored provider `main`. */
const modelOf = ({ model }: Target): { readonly model: string; readonly virtual_key?: string } => {
  const [, provider, name] = /^@([^/]+)\/(.+)$/.exec(model) ?? []
  if (provider !== undefined && name !== undefined) return { model: name, virtual_key: provider }
  return { model }
}

/** Makes a prompt of what is on the page. */
export const SavePrompt = ({ target, messages, parameters }: SavePromptProps) => {
  const { workspace } = useSession()
  const navigate = useNavigate()
  const may = useMay('prompts.create')
  const [isOpen, setOpen] = useState(false)
  if (!may) return null
  const save = async (name: string): Promise<void> => {
    const { tools, ...others } = parameters()
    const body = {
      ...{ name, workspace_id: workspace, string: JSON.stringify(messages), parameters: others },
      ...(Array.isArray(tools) ? { tools } : {}),
      ...modelOf(target),
    }
    const { slug } = await take(gateway.POST('/v2/prompts', { body }))
    await navigate({ to: '/prompts/$id', params: { id: slug } })
  }
  return (
    <>
      <Button disabled={messages.length === 0} onClick={() => setOpen(true)}>
        Save as prompt
      </Button>
      {isOpen && (
        <FieldsDialog
          title="Save as prompt"
          about="The conversation of the first model, with the question that is in the field."
          fields={[{ name: 'name', label: 'Name', isRequired: true }]}
          initial={{}}
          save={({ name = '' }) => save(name)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
