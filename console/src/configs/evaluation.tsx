import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { jsonOf } from '../resource/draft.ts'
import { AreaField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Panel } from '../ui/page.tsx'
import { useSave } from '../ui/use-save.ts'

const SAMPLE = JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'Hello' }] }, null, 2)

export interface EvaluationProps {
  /** As it is in the editor; undefined: it cannot be read. */
  readonly config: Record<string, unknown> | undefined
  /** Hears of the path that the call would take. */
  readonly onChosen: (path: string | undefined) => void
}

/** Where a call would go, and why, without making it. */
export const Evaluation = ({ config, onChosen }: EvaluationProps) => {
  const { workspace } = useSession()
  const [text, setText] = useState(SAMPLE)
  const save = useSave(
    () => {
      const body = jsonOf({ body: text }, 'body')
      return take(
        gateway.POST('/v2/configs/evaluate', {
          body: {
            ...{ workspace_id: workspace, endpoint: 'chat' },
            ...(config === undefined ? {} : { config }),
            ...(body === undefined ? {} : { body }),
          },
        }),
      )
    },
    ({ chosen }) => onChosen(chosen?.path),
  )
  return (
    <Panel title="Where would a call go?">
      <Form onSubmit={() => save.run(undefined)} save={save} submit="Find out">
        <AreaField
          label="Body of the call"
          hint="JSON. Nothing is sent to a provider."
          rows={6}
          spellCheck={false}
          className="font-mono text-xs"
          value={text}
          error={save.errorOf('body')}
          onChange={(event) => setText(event.target.value)}
        />
        {save.output !== undefined && (
          <ol className="grid list-decimal gap-1 pl-5">
            {save.output.steps.map(({ path, decision, reason }) => (
              <li key={path}>
                <code className="font-mono text-xs">{path}</code>: {reason}{' '}
                <span className="text-soft">({decision})</span>
              </li>
            ))}
          </ol>
        )}
        {save.output?.error !== undefined && <p className="text-bad">{save.output.error.message}</p>}
      </Form>
    </Panel>
  )
}
