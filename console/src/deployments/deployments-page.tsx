import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { useMay } from '../api/session.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { ActButton } from '../ui/act-button.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { time } from '../ui/format.ts'
import { NameAndSlug } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { Failed } from '../ui/states.tsx'
import { useSave } from '../ui/use-save.ts'
import { type Credentials, CredentialsDialog } from './credentials-dialog.tsx'
import { DeploymentDialog, lookAtDeployment } from './deployment-dialog.tsx'

type Deployment = paths['/admin/v2/deployments']['get']['responses'][200]['content']['application/json']['data'][number]

const PAGE_SIZE = 100
const REFRESH_MS = 5_000

const CONNECTIONS: Readonly<Record<Deployment['connection_status'], readonly [string, Tone]>> = {
  healthy: ['connected', 'good'],
  unhealthy: ['away', 'bad'],
  unknown: ['never connected', 'plain'],
}

const pathOf = ({ id }: Deployment) => ({ params: { path: { deploymentId: id } } })

/** Other gateways that get their configuration from this one. */
export const DeploymentsPage = () => {
  const [shown, setShown] = useState<Credentials>()
  const query = useQuery({
    queryKey: ['deployments'],
    queryFn: () => take(gateway.GET('/admin/v2/deployments', { params: { query: { page_size: PAGE_SIZE } } })),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Page
      title="Deployments"
      about="Other gateways, in other places, that get their configuration from this one and send it their records."
    >
      <ResourceList
        noun="deployment"
        query={query}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        texts={({ name, slug, type }) => [name, slug, type]}
        mayCreate={['deployments.create']}
        mayUpdate={['deployments.update']}
        mayDelete={(row) => (row.status === 'active' ? ['deployments.delete'] : [])}
        look={({ id }) => lookAtDeployment(id)}
        dialog={(existing, onClose) => (
          <DeploymentDialog stored={existing} onClose={onClose} onCredentials={setShown} />
        )}
        remove={(row, headers) =>
          take(gateway.DELETE('/admin/v2/deployments/{deploymentId}', { ...pathOf(row), headers }))
        }
        removal="It is archived: its gateways end and lose what they were given. It can be restored."
        actions={(row) => <Actions row={row} onCredentials={setShown} />}
        columns={[
          { title: 'Name', cell: ({ name, slug }) => <NameAndSlug name={name} slug={slug} /> },
          {
            title: 'State',
            cell: ({ status, connection_status: connection }) => {
              const [text, tone] = CONNECTIONS[connection]
              return status === 'active' ? <Badge tone={tone}>{text}</Badge> : <Badge tone="warn">archived</Badge>
            },
          },
          { title: 'Kind', cell: ({ type }) => (type === 'production' ? 'production' : 'not production') },
          { title: 'Last synced', cell: ({ last_synced_at: synced }) => time(synced) },
        ]}
      />
      {shown !== undefined && <CredentialsDialog credentials={shown} onClose={() => setShown(undefined)} />}
    </Page>
  )
}

interface ActionsProps {
  readonly row: Deployment
  readonly onCredentials: (credentials: Credentials) => void
}

const Actions = ({ row, onCredentials }: ActionsProps) => {
  const mayUpdate = useMay('deployments.update')
  const put = (body: { readonly status?: 'active'; readonly rotate_auth?: true }) =>
    take(gateway.PUT('/admin/v2/deployments/{deploymentId}', { ...pathOf(row), body }))
  if (row.status !== 'active')
    return mayUpdate ? <ActButton run={() => put({ status: 'active' })}>Restore</ActButton> : null
  return (
    <>
      <Ping row={row} />
      {mayUpdate && (
        <Confirm
          action="Rotate"
          title={`Give ${row.name} new credentials?`}
          run={async () => {
            const { client_auth: secret, credentials } = await put({ rotate_auth: true })
            if (secret !== undefined && credentials !== undefined) onCredentials({ secret, ...credentials })
          }}
        >
          The old ones end at once: its gateways have to be started with the new ones within an hour.
        </Confirm>
      )}
    </>
  )
}

/** Asks whether it is there, both ways. */
const Ping = ({ row }: { readonly row: Deployment }) => {
  const may = useMay('deployments.read')
  const ping = useSave(() => take(gateway.GET('/admin/v2/deployments/{deploymentId}/ping', pathOf(row))))
  if (!may) return null
  const { status, inbound, outbound } = ping.output ?? {}
  const why = [inbound?.error, outbound?.error].filter(Boolean).join('; ')
  return (
    <>
      <Button disabled={ping.isRunning} onClick={() => ping.run(undefined)}>
        {ping.isRunning ? 'Asking…' : 'Ping'}
      </Button>
      {status !== undefined && !ping.isRunning && (
        <span
          role="status"
          className={`min-w-40 [overflow-wrap:anywhere] ${status === 'healthy' ? 'text-good' : 'text-bad'}`}
        >
          {status}
          {why === '' ? '' : `: ${why}`}
        </span>
      )}
      {ping.failure !== undefined && <Failed error={ping.failure} />}
    </>
  )
}
