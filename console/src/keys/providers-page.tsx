import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { gateway, type IfMatch, take, takeTagged } from '../api/client.ts'
import { PROVIDERS } from '../api/known.ts'
import type { paths } from '../api/schema.d.ts'
import { useSession } from '../api/session.tsx'
import { given, orNull } from '../resource/draft.ts'
import { type Draft, type FieldSpec, FieldsDialog } from '../resource/fields-dialog.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'

type StoredProvider = paths['/v2/virtual-keys']['get']['responses'][200]['content']['application/json']['data'][number]

const PAGE_SIZE = 100

const NAME: FieldSpec = { name: 'name', label: 'Name', isRequired: true }

const ADDRESS_AND_NOTE: readonly FieldSpec[] = [
  { name: 'custom_host', label: 'Address', hint: 'Only where it is another than the provider’s own.' },
  { name: 'note', label: 'Note' },
]

const NEW: readonly FieldSpec[] = [
  NAME,
  {
    ...{ name: 'provider', label: 'Provider', isRequired: true, offers: PROVIDERS },
    hint: 'Such as openai, anthropic or mock; those of plugins too.',
  },
  { name: 'slug', label: 'Slug', hint: 'Calls name it with an @ in front. Empty: made from the name.' },
  { name: 'key', label: 'Key', kind: 'secret', hint: 'Stored sealed, and never shown again.' },
  ...ADDRESS_AND_NOTE,
]

const CHANGE: readonly FieldSpec[] = [
  NAME,
  { name: 'key', label: 'Key', kind: 'secret', hint: 'Empty: the stored one stays.' },
  ...ADDRESS_AND_NOTE,
]

/** Keys of providers that are stored here, so that calls need not bring them. */
export const ProvidersPage = () => {
  const { workspace } = useSession()
  const query = useQuery({
    queryKey: ['virtual-keys', workspace],
    queryFn: () =>
      take(gateway.GET('/v2/virtual-keys', { params: { query: { workspace_id: workspace, page_size: PAGE_SIZE } } })),
  })
  const pathOf = ({ slug }: Pick<StoredProvider, 'slug'>) => ({
    params: { path: { slug }, query: { workspace_id: workspace } },
  })
  const save = (existing: Pick<StoredProvider, 'slug'> | undefined) => async (draft: Draft, headers: IfMatch) => {
    const { name = '', provider = '' } = draft
    const secret = given(draft, 'key', 'custom_host')
    if (existing === undefined) {
      const body = { name, provider, workspace_id: workspace, ...secret, ...given(draft, 'slug', 'note') }
      await take(gateway.POST('/v2/virtual-keys', { body }))
      return
    }
    const body = { name, note: orNull(draft, 'note'), ...secret }
    await take(gateway.PUT('/v2/virtual-keys/{slug}', { ...pathOf(existing), headers, body }))
  }
  return (
    <Page
      title="Providers"
      about="Keys of providers, stored sealed. A call names one as its model's first part: @name/model."
    >
      <ResourceList
        noun="provider"
        query={query}
        idOf={({ slug }) => slug}
        nameOf={({ slug }) => `@${slug}`}
        texts={({ name, slug, provider, note }) => [name, slug, provider, note]}
        mayCreate={['virtual_keys.create']}
        mayUpdate={['virtual_keys.update']}
        mayDelete={['virtual_keys.delete']}
        look={(provider) => takeTagged(gateway.GET('/v2/virtual-keys/{slug}', pathOf(provider)))}
        dialog={(existing, onClose) => (
          <FieldsDialog
            existing={existing}
            title={existing === undefined ? 'New provider' : `Provider @${existing.data.slug}`}
            fields={existing === undefined ? NEW : CHANGE}
            initial={existing === undefined ? {} : { name: existing.data.name, note: existing.data.note ?? '' }}
            save={save(existing?.data)}
            onClose={onClose}
          />
        )}
        remove={(provider, headers) =>
          take(gateway.DELETE('/v2/virtual-keys/{slug}', { ...pathOf(provider), headers }))
        }
        removal="Calls that name it are refused from then on. The stored key is gone with it."
        actions={({ slug }) => (
          <Button asChild>
            <Link to="/records" search={{ virtual_keys: slug }}>
              Records
            </Link>
          </Button>
        )}
        columns={[
          { title: 'Called as', cell: ({ slug }) => <code className="font-mono">@{slug}/…</code> },
          { title: 'Name', cell: ({ name }) => <Name text={name} /> },
          { title: 'Provider', cell: ({ provider }) => provider },
          { title: 'Key', cell: ({ key }) => <code className="font-mono text-xs">{key ?? 'none'}</code> },
          {
            title: 'Status',
            cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'warn'}>{status}</Badge>,
          },
          { title: 'Made', cell: ({ created_at: made }) => time(made) },
        ]}
      />
    </Page>
  )
}
