import { useState } from 'react'
import { failureOf, toFailure } from '../api/failure.ts'
import { PREFIX } from '../api/page.ts'
import { MakeKey } from '../calls/make-key.tsx'
import { useOwnKey } from '../calls/own-key.ts'
import { jsonOf } from '../resource/draft.ts'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/copy.tsx'
import { AreaField, SelectField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Panel } from '../ui/page.tsx'
import { useSave } from '../ui/use-save.ts'
import { type PromptVersion, variablesOf } from './model.ts'

const DEADLINE_MS = 120_000

/** Calls a version as programs do. @throws Failure */
const call = async (key: string, path: string, variables: object): Promise<unknown> => {
  const response = await fetch(`${PREFIX}/v1/prompts/${path}`, {
    method: 'POST',
    credentials: 'omit',
    signal: AbortSignal.timeout(DEADLINE_MS),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ variables }),
  }).catch((thrown: unknown) => {
    throw toFailure(thrown)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw failureOf(body, response)
  return body
}

/** Fills a version in, and calls a model with it. */
export const RunPrompt = ({ versions }: { readonly versions: readonly PromptVersion[] }) => {
  const key = useOwnKey()
  const [newest] = versions
  // The newest, unless somebody chose another.
  const [chosen, setChosen] = useState<string>()
  const number = chosen ?? String(newest?.prompt_version ?? '')
  const version = versions.find((each) => String(each.prompt_version) === number) ?? newest
  const [text, setText] = useState(() => {
    const names = variablesOf(newest?.string ?? '').map((name) => [name, ''])
    return JSON.stringify(Object.fromEntries(names), null, 2)
  })
  const run = useSave((action: 'completions' | 'render') =>
    call(
      key ?? '',
      `${version?.slug}@${version?.prompt_version}/${action}`,
      jsonOf({ variables: text }, 'variables') ?? {},
    ),
  )
  if (key === undefined) {
    return (
      <Panel title="Run it">
        <MakeKey />
      </Panel>
    )
  }
  return (
    <Panel title="Run it">
      <Form onSubmit={() => run.run('completions')} save={run} submit="Run">
        <SelectField
          label="Version"
          options={Object.fromEntries(versions.map((each) => [each.prompt_version, `Version ${each.prompt_version}`]))}
          value={number}
          onChange={(event) => setChosen(event.target.value)}
        />
        <AreaField
          label="Variables"
          hint="JSON."
          spellCheck={false}
          className="font-mono text-xs"
          value={text}
          error={run.errorOf('variables')}
          onChange={(event) => setText(event.target.value)}
        />
        <div>
          <Button disabled={run.isRunning} onClick={() => run.run('render')}>
            Only fill it in
          </Button>
        </div>
        {run.output !== undefined && <Code label="What came of it" text={JSON.stringify(run.output, null, 2)} />}
      </Form>
    </Panel>
  )
}
