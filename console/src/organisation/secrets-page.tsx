import { useQuery } from '@tanstack/react-query'
import { gateway, type IfMatch, take, takeTagged } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { given, jsonOf } from '../resource/draft.ts'
import { type Draft, type FieldSpec, FieldsDialog } from '../resource/fields-dialog.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'

type Routes = paths['/admin/v2/secret-references']
type Secret = Routes['get']['responses'][200]['content']['application/json']['data'][number]
type Manager = Secret['manager_type']

const PAGE_SIZE = 100

const MANAGERS: Readonly<Record<Manager, string>> = {
  environment: 'The environment of the gateway',
  file: 'A file',
  hashicorp_vault: 'HashiCorp Vault',
  aws_sm: 'AWS Secrets Manager',
  azure_kv: 'Azure Key Vault',
}

const SHARED: readonly FieldSpec[] = [
  { name: 'secret_key', label: 'Field of the secret', hint: 'Where the secret is JSON with several.' },
  { name: 'description', label: 'Description' },
  {
    ...{ name: 'auth_config', label: 'How to get in', kind: 'json' },
    hint: 'JSON, such as {"vault_addr": "https://…", "vault_auth_type": "approle"}.',
  },
]

const NEW: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'slug', label: 'Slug', hint: 'Empty: made from the name.' },
  { name: 'manager_type', label: 'Where it is kept', kind: 'choice', options: MANAGERS },
  { name: 'secret_path', label: 'Path or name there', isRequired: true },
  ...SHARED,
]

const CHANGE: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'secret_path', label: 'Path or name there', hint: 'Empty: the stored one stays.' },
  ...SHARED,
]

/** Secrets that are kept elsewhere, and read when they are needed. */
export const SecretsPage = () => {
  const query = useQuery({
    queryKey: ['secret-references'],
    queryFn: () => take(gateway.GET('/admin/v2/secret-references', { params: { query: { page_size: PAGE_SIZE } } })),
  })
  const pathOf = ({ id }: Pick<Secret, 'id'>) => ({ params: { path: { secretReferenceId: id } } })
  const save = (existing: Pick<Secret, 'id'> | undefined) => async (draft: Draft, headers: IfMatch) => {
    const { name = '', manager_type = '', secret_path = '' } = draft
    const auth_config = jsonOf(draft, 'auth_config')
    const shared = {
      ...{ name, ...given(draft, 'secret_key', 'description') },
      ...(auth_config === undefined ? {} : { auth_config }),
    }
    if (existing !== undefined) {
      const body = { ...shared, ...given(draft, 'secret_path') }
      await take(gateway.PUT('/admin/v2/secret-references/{secretReferenceId}', { ...pathOf(existing), headers, body }))
      return
    }
    const kept = { manager_type: manager_type as Manager, secret_path, allow_all_workspaces: true }
    await take(gateway.POST('/admin/v2/secret-references', { body: { ...shared, ...kept, ...given(draft, 'slug') } }))
  }
  return (
    <Page title="Secret references" about="Secrets that are kept elsewhere. Only where they are is stored here.">
      <ResourceList
        noun="secret reference"
        query={query}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        texts={({ name, slug, manager_type: manager }) => [name, slug, manager]}
        mayCreate={['secret_references.create']}
        mayUpdate={['secret_references.update']}
        mayDelete={['secret_references.delete']}
        look={(secret) => takeTagged(gateway.GET('/admin/v2/secret-references/{secretReferenceId}', pathOf(secret)))}
        dialog={(existing, onClose) => (
          <FieldsDialog
            existing={existing}
            title={existing === undefined ? 'New secret reference' : `Secret reference ${existing.data.slug}`}
            fields={existing === undefined ? NEW : CHANGE}
            initial={existing === undefined ? {} : { name: existing.data.name }}
            save={save(existing?.data)}
            onClose={onClose}
          />
        )}
        remove={(secret, headers) =>
          take(gateway.DELETE('/admin/v2/secret-references/{secretReferenceId}', { ...pathOf(secret), headers }))
        }
        columns={[
          { title: 'Slug', cell: ({ slug }) => <code className="font-mono">{slug}</code> },
          { title: 'Name', cell: ({ name }) => <Name text={name} /> },
          { title: 'Kept in', cell: ({ manager_type: manager }) => MANAGERS[manager] },
          { title: 'Made', cell: ({ created_at: made }) => time(made) },
        ]}
      />
    </Page>
  )
}
