import * as Tabs from '@radix-ui/react-tabs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { GATEWAY_URL } from '../api/page.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { Code, CopyButton } from '../ui/copy.tsx'
import { duration } from '../ui/format.ts'
import { Page, Panel } from '../ui/page.tsx'
import { Failed } from '../ui/states.tsx'
import { useSave } from '../ui/use-save.ts'
import { type ChatAnswer, chat } from './chat.ts'
import { MakeKey } from './make-key.tsx'
import { useOwnKey } from './own-key.ts'
import { snippetsFor } from './snippets.ts'
import { Step } from './step.tsx'

const HELLO = [{ role: 'user', content: 'Hello from the console' }] as const
const WATCH_MS = 1_000

/** From nothing to a call that was made, and its record. */
export const StartPage = () => {
  const key = useOwnKey()
  const [answer, setAnswer] = useState<ChatAnswer>()
  const mayStore = useMay('virtual_keys.create')
  const mayLook = useMay('logs.list')
  const providers = useStoredProviders()
  return (
    <Page title="First minute" about="A key, a call, its record: then a provider of your own.">
      <ol className="grid gap-3">
        <Step title="Make a key" isDone={key !== undefined}>
          {key === undefined ? <MakeKey /> : <OwnKey text={key} />}
        </Step>
        <Step title="Send a call" isDone={answer !== undefined}>
          <SendCall apiKey={key} answer={answer} onAnswer={setAnswer} />
        </Step>
        {mayLook && <RecordStep requestId={answer?.requestId} />}
        {mayStore && (
          <Step title="Add a provider" isDone={providers > 0}>
            <p className="text-soft">
              {providers > 0
                ? 'A provider is stored here: calls name it with an @ in front.'
                : 'Store the key of a provider once, and calls name it with an @ in front.'}
            </p>
            <div>
              <Button asChild>
                <Link to="/providers">{providers > 0 ? 'Providers' : 'Add a provider'}</Link>
              </Button>
            </div>
          </Step>
        )}
      </ol>
      <Snippets apiKey={key} />
    </Page>
  )
}

const useStoredProviders = (): number => {
  const { workspace } = useSession()
  const mayList = useMay('virtual_keys.list')
  const { data } = useQuery({
    queryKey: ['virtual-keys', workspace, 'count'],
    queryFn: () =>
      take(gateway.GET('/v2/virtual-keys', { params: { query: { workspace_id: workspace, page_size: 1 } } })),
    enabled: mayList,
  })
  return data?.total ?? 0
}

const OwnKey = ({ text }: { readonly text: string }) => (
  <div className="grid gap-2">
    <p className="text-soft">This is the only time that it is shown.</p>
    <code className="rounded bg-raised p-2 font-mono text-xs break-all">{text}</code>
    <div>
      <CopyButton text={text} what="Copy the key" />
    </div>
  </div>
)

interface SendCallProps {
  readonly apiKey: string | undefined
  readonly answer: ChatAnswer | undefined
  readonly onAnswer: (answer: ChatAnswer) => void
}

const SendCall = ({ apiKey, answer, onAnswer }: SendCallProps) => {
  const send = useSave(
    (key: string) =>
      chat({
        key,
        target: { model: 'mock', config: '' },
        messages: HELLO,
        signal: AbortSignal.timeout(30_000),
        onText: () => undefined,
      }),
    onAnswer,
  )
  return (
    <div className="grid justify-items-start gap-3">
      <Button
        look={apiKey !== undefined && answer === undefined ? 'primary' : 'plain'}
        disabled={apiKey === undefined || send.isRunning}
        onClick={() => apiKey !== undefined && send.run(apiKey)}
      >
        {send.isRunning ? 'Calling…' : 'Call the mock provider'}
      </Button>
      {send.failure !== undefined && <Failed error={send.failure} />}
      {answer !== undefined && (
        <p role="status">
          “{answer.text}” <span className="text-soft">in {duration(answer.totalMs)}</span>
        </p>
      )}
    </div>
  )
}

/** Looks for the record until it is there. */
const RecordStep = ({ requestId }: { readonly requestId: string | undefined }) => {
  const { workspace } = useSession()
  const record = useQuery({
    queryKey: ['records', workspace, 'one', requestId],
    queryFn: () =>
      take(
        gateway.GET('/v2/logs', { params: { query: { workspace_slug: workspace, id: requestId ?? '', limit: 1 } } }),
      ),
    enabled: requestId !== undefined,
    refetchInterval: ({ state }) => (state.data?.data.length === 1 ? false : WATCH_MS),
  })
  const found = record.data?.data[0]
  return (
    <Step title="See its record" isDone={found !== undefined}>
      {record.error !== null && <Failed error={record.error} onRetry={record.refetch} />}
      {found === undefined ? (
        <p className="text-soft">{requestId === undefined ? 'Comes with the call.' : 'Waiting for it…'}</p>
      ) : (
        <div>
          <Button asChild>
            <Link to="/records/$id" params={{ id: found.id }}>
              Open the record
            </Link>
          </Button>
        </div>
      )}
    </Step>
  )
}

const Snippets = ({ apiKey }: { readonly apiKey: string | undefined }) => {
  const snippets = snippetsFor(GATEWAY_URL, apiKey)
  return (
    <Panel title="From your programs">
      <Tabs.Root defaultValue={snippets[0]?.title ?? ''} className="grid gap-3">
        <Tabs.List aria-label="Clients" className="flex flex-wrap gap-1">
          {snippets.map(({ title }) => (
            <Tabs.Trigger
              key={title}
              value={title}
              className="min-h-9 rounded-md px-3 hover:bg-raised data-[state=active]:bg-raised data-[state=active]:font-semibold"
            >
              {title}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {snippets.map(({ title, text }) => (
          <Tabs.Content key={title} value={title}>
            <Code text={text} label={title} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Panel>
  )
}
