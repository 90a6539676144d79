import { useQuery } from '@tanstack/react-query'
import { gateway, type IfMatch, take, takeTagged } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { orNull } from '../resource/draft.ts'
import { type Draft, type FieldSpec, FieldsDialog } from '../resource/fields-dialog.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { ROLES, type Role } from './roles.ts'

type User = paths['/admin/v2/users']['get']['responses'][200]['content']['application/json']['data'][number]

const PAGE_SIZE = 100

const STATES: Readonly<Record<User['status'], string>> = {
  active: 'Active',
  inactive: 'Inactive: cannot sign in or use a key',
}

const FIELDS: readonly FieldSpec[] = [
  { name: 'role', label: 'Role', kind: 'choice', options: ROLES },
  { name: 'status', label: 'Status', kind: 'choice', options: STATES },
  { name: 'first_name', label: 'First name' },
  { name: 'last_name', label: 'Last name' },
]

const nameOf = ({ email, first_name: first, last_name: last }: User): string =>
  [first, last].filter(Boolean).join(' ') || email

const toDraft = ({ role, status, first_name: first, last_name: last }: User): Draft => ({
  ...{ role, status, first_name: first ?? '', last_name: last ?? '' },
})

export const Users = () => {
  const query = useQuery({
    queryKey: ['users'],
    queryFn: () => take(gateway.GET('/admin/v2/users', { params: { query: { page_size: PAGE_SIZE } } })),
  })
  const pathOf = ({ id }: User) => ({ params: { path: { userId: id } } })
  const save = (user: User) => (draft: Draft, headers: IfMatch) =>
    take(
      gateway.PUT('/admin/v2/users/{userId}', {
        ...{ ...pathOf(user), headers },
        body: {
          ...(draft.role === user.role ? {} : { role: draft.role as Role }),
          ...(draft.status === user.status ? {} : { status: draft.status as User['status'] }),
          ...{ first_name: orNull(draft, 'first_name'), last_name: orNull(draft, 'last_name') },
        },
      }),
    )
  return (
    <ResourceList
      noun="user"
      query={query}
      idOf={({ id }) => id}
      nameOf={({ email }) => email}
      texts={(user) => [user.email, nameOf(user), user.role]}
      mayUpdate={['organisation_users.update']}
      mayDelete={['organisation_users.delete']}
      look={(user) => takeTagged(gateway.GET('/admin/v2/users/{userId}', pathOf(user)))}
      dialog={(existing, onClose) =>
        existing && (
          <FieldsDialog
            existing={existing}
            title={existing.data.email}
            fields={FIELDS}
            initial={toDraft(existing.data)}
            save={save(existing.data)}
            onClose={onClose}
          />
        )
      }
      remove={(user, headers) => take(gateway.DELETE('/admin/v2/users/{userId}', { ...pathOf(user), headers }))}
      removal="Their keys, sessions and invites end. What they made stays."
      columns={[
        { title: 'Name', cell: (user) => <Name text={nameOf(user)} /> },
        { title: 'Address', cell: ({ email }) => <Name text={email} /> },
        { title: 'Role', cell: ({ role }) => role },
        {
          title: 'Status',
          cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'warn'}>{status}</Badge>,
        },
        { title: 'Last sign-in', cell: ({ last_sign_in_at: last }) => time(last) },
      ]}
    />
  )
}
