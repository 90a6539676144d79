import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { failureOf, toFailure } from '../api/failure.ts'
import { PREFIX } from '../api/page.ts'
import { useMay, useSession } from '../api/session.tsx'
import { isJson } from '../calls/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Answered, Empty, Failed } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { useSave } from '../ui/use-save.ts'

interface ConnectProps {
  readonly server: { readonly id: string; readonly name: string; readonly slug: string }
  readonly workspace: string
}

/** Connects whoever is signed in to a server that asks each person for a login of their own. */
export const Connect = ({ server, workspace }: ConnectProps) => {
  const may = useMay('mcp_servers.read')
  const [isOpen, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Connect</Button>
      {isOpen && (
        <Dialog
          title={`Connect to ${server.name}`}
          about="Each person agrees at the server itself, once."
          isWide
          onClose={() => setOpen(false)}
        >
          <OwnConnection server={server} workspace={workspace} />
          <Connections server={server} workspace={workspace} />
        </Dialog>
      )}
    </>
  )
}

/** The key with which the server is asked once ends by itself. */
const KEY_MS = 600_000

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'weir-console', version: '1' },
  },
}

/** Calls the server as the person who is signed in. @returns where they agree; null where they have. @throws Failure */
const askForLogin = async (slug: string, workspace: string): Promise<string | null> => {
  const body = {
    name: `Console, connecting to ${slug}`,
    scopes: ['mcp.invoke'],
    workspace_id: workspace,
    expires_at: new Date(Date.now() + KEY_MS).toISOString(),
  }
  const { id, key } = await take(gateway.POST('/v2/api-keys/user', { body }))
  try {
    const response = await fetch(`${PREFIX}/mcp/${encodeURIComponent(slug)}/mcp`, {
      method: 'POST',
      credentials: 'omit',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(HELLO),
    }).catch((thrown: unknown) => {
      throw toFailure(thrown)
    })
    if (response.ok && response.headers.get('content-type')?.startsWith('text/event-stream') === true) return null
    const answer: unknown = await response.json().catch(() => undefined)
    const address = addressIn(answer)
    if (address !== undefined) return address
    if (response.ok && isJson(answer) && 'result' in answer) return null
    throw failureOf(answer, response)
  } finally {
    await take(gateway.DELETE('/v2/api-keys/{id}', { params: { path: { id } } })).catch(() => undefined)
  }
}

const addressIn = (answer: unknown): string | undefined => {
  const error = isJson(answer) && isJson(answer.error) ? answer.error : undefined
  const data = isJson(error?.data) ? error.data : undefined
  return data?.type === 'oauth_required' && typeof data.authorizationUrl === 'string'
    ? data.authorizationUrl
    : undefined
}

const OwnConnection = ({ server: { slug }, workspace }: ConnectProps) => {
  const { user } = useSession()
  const ask = useSave(() => askForLogin(slug, workspace))
  const address = ask.output
  if (user === null) {
    return <p className="text-soft">Whoever signed in with a key is nobody who could agree: sign in as a person.</p>
  }
  return (
    <div className="grid justify-items-start gap-3">
      <Button look="primary" disabled={ask.isRunning} onClick={() => ask.run(undefined)}>
        {ask.isRunning ? 'Asking the server…' : 'Connect me'}
      </Button>
      {ask.failure !== undefined && <Failed error={ask.failure} />}
      {address === null && !ask.isRunning && (
        <p role="status" className="text-good">
          You are connected.
        </p>
      )}
      {typeof address === 'string' && !ask.isRunning && (
        <div className="grid gap-2">
          <p role="status">Open this address, agree there, and come back:</p>
          <a href={address} target="_blank" rel="noopener noreferrer" className="text-accent underline break-all">
            {address}
          </a>
          <div>
            <CopyButton text={address} what="Copy address" />
          </div>
        </div>
      )}
    </div>
  )
}

const REFRESH_MS = 3_000
const PAGE_SIZE = 100

/** Who has agreed. */
const Connections = ({ server: { id }, workspace }: ConnectProps) => {
  const { user } = useSession()
  const mayForget = useMay('mcp_servers.update')
  const params = { path: { server: id }, query: { workspace_id: workspace } }
  const query = useQuery({
    queryKey: ['mcp-connections', id, workspace],
    queryFn: () =>
      take(
        gateway.GET('/v2/mcp-servers/{server}/connections', {
          params: { ...params, query: { ...params.query, page_size: PAGE_SIZE } },
        }),
      ),
    refetchInterval: REFRESH_MS,
  })
  const forget = (userId: string) =>
    take(
      gateway.DELETE('/v2/mcp-servers/{server}/connections', {
        params: { ...params, query: { ...params.query, user_id: userId } },
      }),
    )
  return (
    <Answered query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty>Nobody is connected yet.</Empty>
        ) : (
          <Table
            label="Who is connected"
            rows={data}
            keyOf={({ user_id: userId }) => userId}
            columns={[
              { title: 'Who', cell: ({ user_id: userId }) => <Name text={userId === user?.id ? 'You' : userId} /> },
              { title: 'State', cell: () => <Badge tone="good">connected</Badge> },
              { title: 'Since', cell: ({ created_at: since }) => time(since) },
              {
                title: 'Do',
                cell: ({ user_id: userId }) =>
                  (mayForget || userId === user?.id) && (
                    <Confirm action="Forget" title="Forget what they agreed to?" run={() => forget(userId)}>
                      They are asked again before their next call.
                    </Confirm>
                  ),
              },
            ]}
          />
        )
      }
    </Answered>
  )
}
