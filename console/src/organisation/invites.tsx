import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take, takeTagged } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { useMay, useSession } from '../api/session.tsx'
import { type Draft, type FieldSpec, FieldsDialog } from '../resource/fields-dialog.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Failed } from '../ui/states.tsx'
import { useSave } from '../ui/use-save.ts'
import { ROLES, type Role, WORKSPACE_ROLES, type WorkspaceRole } from './roles.ts'

type Invite = paths['/admin/v2/users/invites']['get']['responses'][200]['content']['application/json']['data'][number]

const PAGE_SIZE = 100

const FIELDS: readonly FieldSpec[] = [
  { name: 'email', label: 'Address', isRequired: true },
  { name: 'role', label: 'In the organisation', kind: 'choice', options: ROLES },
  {
    ...{ name: 'workspace_role', label: 'In this workspace', kind: 'choice' },
    options: { ...WORKSPACE_ROLES, '': 'Nothing' },
  },
]

export const Invites = () => {
  const { workspace } = useSession()
  const [link, setLink] = useState<string>()
  const query = useQuery({
    queryKey: ['invites'],
    queryFn: () => take(gateway.GET('/admin/v2/users/invites', { params: { query: { page_size: PAGE_SIZE } } })),
  })
  const pathOf = ({ id }: Invite) => ({ params: { path: { inviteId: id } } })
  const invite = async ({ email = '', role, workspace_role: inWorkspace }: Draft) => {
    const workspaces = inWorkspace && role === 'member' ? [{ id: workspace, role: inWorkspace as WorkspaceRole }] : []
    const body = { email, role: role as Role, workspaces }
    setLink((await take(gateway.POST('/admin/v2/users/invites', { body }))).invite_link)
  }
  return (
    <>
      <ResourceList
        noun="invite"
        query={query}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        texts={({ email, role, status }) => [email, role, status]}
        mayCreate={['organisation_users.create']}
        mayDelete={['organisation_users.delete']}
        dialog={(_, onClose) => (
          <FieldsDialog title="New invite" fields={FIELDS} initial={{}} save={invite} onClose={onClose} />
        )}
        look={(row) => takeTagged(gateway.GET('/admin/v2/users/invites/{inviteId}', pathOf(row)))}
        remove={(row, headers) =>
          take(gateway.DELETE('/admin/v2/users/invites/{inviteId}', { ...pathOf(row), headers }))
        }
        removal="Its link works no more."
        actions={(row) => row.status === 'pending' && <Resend row={row} onLink={setLink} />}
        columns={[
          { title: 'Address', cell: ({ email }) => <Name text={email} /> },
          { title: 'Role', cell: ({ role }) => role },
          {
            title: 'Status',
            cell: ({ status }) => <Badge tone={status === 'pending' ? 'warn' : 'plain'}>{status}</Badge>,
          },
          { title: 'Ends', cell: ({ expires_at: end }) => time(end) },
        ]}
      />
      {link !== undefined && (
        <Dialog
          title="The link of the invite"
          about="It works once, for seven days. Whoever has it can take the place."
          onClose={() => setLink(undefined)}
        >
          <code className="rounded bg-raised p-3 font-mono break-all">{link}</code>
          <div className="flex justify-end">
            <CopyButton text={link} what="Copy the link" />
          </div>
        </Dialog>
      )}
    </>
  )
}

const Resend = ({ row, onLink }: { readonly row: Invite; readonly onLink: (link: string) => void }) => {
  const may = useMay('organisation_users.create')
  const save = useSave(
    () => take(gateway.POST('/admin/v2/users/invites/{inviteId}/resend', { params: { path: { inviteId: row.id } } })),
    ({ invite_link: made }) => onLink(made),
  )
  if (!may) return null
  return (
    <>
      <Button disabled={save.isRunning} onClick={() => save.run(undefined)}>
        New link
      </Button>
      {save.failure !== undefined && <Failed error={save.failure} />}
    </>
  )
}
