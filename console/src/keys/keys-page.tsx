import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { gateway, take, takeTagged } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { KeyDialog, SecretDialog } from './key-dialog.tsx'
import { keysQuery } from './key-names.ts'
import type { ApiKey } from './model.ts'

const FAMILIES = {
  'organisation-service': 'organisation_service_api_keys',
  'workspace-service': 'workspace_service_api_keys',
  'workspace-user': 'workspace_user_api_keys',
} as const

const pathOf = ({ id }: ApiKey) => ({ params: { path: { id } } })

/** Who may call, and how much. */
export const KeysPage = () => {
  const { workspace } = useSession()
  const [secret, setSecret] = useState<string>()
  const query = useQuery(keysQuery(workspace))
  return (
    <Page title="Keys" about="Programs call with a key of the workspace.">
      <ResourceList
        noun="key"
        query={query}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        texts={({ name, id, description }) => [name, id, description]}
        mayCreate={['workspace_service_api_keys.create']}
        mayUpdate={({ type }) => [`${FAMILIES[type]}.update`]}
        mayDelete={({ type }) => [`${FAMILIES[type]}.delete`]}
        look={(key) => takeTagged(gateway.GET('/v2/api-keys/{id}', pathOf(key)))}
        dialog={(stored, onClose) => <KeyDialog stored={stored} onClose={onClose} onSecret={setSecret} />}
        remove={(key, headers) => take(gateway.DELETE('/v2/api-keys/{id}', { ...pathOf(key), headers }))}
        removal="Whoever calls with it is refused from then on, on every process within a second."
        actions={(key) => (
          <>
            <Button asChild>
              <Link to="/records" search={{ api_key_ids: key.id }}>
                Records
              </Link>
            </Button>
            <Rotate row={key} onSecret={setSecret} />
          </>
        )}
        columns={[
          { title: 'Name', cell: ({ name }) => <Name text={name} /> },
          {
            title: 'Status',
            cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'warn'}>{status}</Badge>,
          },
          { title: 'Key', cell: ({ key }) => <code className="font-mono text-xs">{key}</code> },
          { title: 'Kind', cell: ({ type }) => type },
          { title: 'Ends', cell: ({ expires_at: end }) => time(end) },
          { title: 'Made', cell: ({ created_at: made }) => time(made) },
        ]}
      />
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}

const Rotate = ({ row, onSecret }: { readonly row: ApiKey; readonly onSecret: (secret: string) => void }) =>
  useMay(`${FAMILIES[row.type]}.rotate`) ? (
    <Confirm
      action="Rotate"
      title={`Give ${row.name} a new secret?`}
      run={async () => onSecret((await take(gateway.POST('/v2/api-keys/{id}/rotate', pathOf(row)))).key)}
    >
      The old secret works for half an hour more.
    </Confirm>
  ) : null
