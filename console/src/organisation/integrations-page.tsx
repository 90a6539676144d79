import { useQuery } from '@tanstack/react-query'
import { gateway, type IfMatch, take, takeTagged } from '../api/client.ts'
import { PROVIDERS } from '../api/known.ts'
import type { paths } from '../api/schema.d.ts'
import { given, jsonOf } from '../resource/draft.ts'
import { type Draft, type FieldSpec, FieldsDialog } from '../resource/fields-dialog.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { AccessButton } from './access.tsx'

type Integration =
  paths['/admin/v2/integrations']['get']['responses'][200]['content']['application/json']['data'][number]

const PAGE_SIZE = 100

const SHARED: readonly FieldSpec[] = [
  { name: 'description', label: 'Description' },
  {
    ...{ name: 'configurations', label: 'Settings', kind: 'json' },
    hint: 'JSON, such as {"aws_region": "eu-central-1"}. Empty: the stored ones stay.',
  },
]

const NEW: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'ai_provider_id', label: 'Provider', isRequired: true, offers: PROVIDERS },
  { name: 'slug', label: 'Slug', hint: 'Empty: made from the name.' },
  { name: 'key', label: 'Key', kind: 'secret', hint: 'Stored sealed, and never shown again.' },
  ...SHARED,
]

const CHANGE: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'key', label: 'Key', kind: 'secret', hint: 'Empty: the stored one stays.' },
  ...SHARED,
]

/** Credentials of providers that belong to the organisation, which gives them to workspaces. */
export const IntegrationsPage = () => {
  const query = useQuery({
    queryKey: ['integrations'],
    queryFn: () => take(gateway.GET('/admin/v2/integrations', { params: { query: { page_size: PAGE_SIZE } } })),
  })
  const pathOf = ({ slug }: Pick<Integration, 'slug'>) => ({ params: { path: { slug } } })
  const save = (existing: Pick<Integration, 'slug'> | undefined) => async (draft: Draft, headers: IfMatch) => {
    const { name = '', ai_provider_id = '', description = '' } = draft
    const configurations = jsonOf(draft, 'configurations')
    const shared = {
      ...{ name, ...given(draft, 'key'), ...(existing === undefined ? given(draft, 'description') : { description }) },
      ...(configurations === undefined ? {} : { configurations }),
    }
    if (existing !== undefined) {
      await take(gateway.PUT('/admin/v2/integrations/{slug}', { ...pathOf(existing), headers, body: shared }))
      return
    }
    const body = { ...shared, ai_provider_id, create_default_provider: true, ...given(draft, 'slug') }
    await take(gateway.POST('/admin/v2/integrations', { body }))
  }
  return (
    <Page
      title="Integrations"
      about="Credentials of providers that belong to the organisation. Workspaces use them as providers of theirs."
    >
      <ResourceList
        noun="integration"
        query={query}
        idOf={({ slug }) => slug}
        nameOf={({ name }) => name}
        texts={({ name, slug, ai_provider_id: provider, description }) => [name, slug, provider, description]}
        mayCreate={['organisation_integrations.create']}
        mayUpdate={['organisation_integrations.update']}
        mayDelete={['organisation_integrations.delete']}
        look={(integration) => takeTagged(gateway.GET('/admin/v2/integrations/{slug}', pathOf(integration)))}
        dialog={(existing, onClose) => (
          <FieldsDialog
            existing={existing}
            title={existing === undefined ? 'New integration' : `Integration ${existing.data.slug}`}
            fields={existing === undefined ? NEW : CHANGE}
            initial={
              existing === undefined ? {} : { name: existing.data.name, description: existing.data.description ?? '' }
            }
            save={save(existing?.data)}
            onClose={onClose}
          />
        )}
        remove={(integration, headers) =>
          take(gateway.DELETE('/admin/v2/integrations/{slug}', { ...pathOf(integration), headers }))
        }
        actions={(integration) => (
          <AccessButton
            name={integration.name}
            scope="organisation_integrations.update"
            look={() => takeTagged(gateway.GET('/admin/v2/integrations/{slug}/workspaces', pathOf(integration)))}
            save={(access, headers) =>
              take(
                gateway.PUT('/admin/v2/integrations/{slug}/workspaces', {
                  ...{ ...pathOf(integration), headers },
                  body: { ...access },
                }),
              )
            }
          />
        )}
        removal="The providers that workspaces have of it are gone with it."
        columns={[
          { title: 'Slug', cell: ({ slug }) => <code className="font-mono">{slug}</code> },
          { title: 'Name', cell: ({ name }) => <Name text={name} /> },
          { title: 'Provider', cell: ({ ai_provider_id: provider }) => provider },
          { title: 'Belongs to', cell: ({ workspace_id: own }) => (own === null ? 'the organisation' : 'a workspace') },
          { title: 'Made', cell: ({ created_at: made }) => time(made) },
        ]}
      />
    </Page>
  )
}
