import { useQuery } from '@tanstack/react-query'
import { gateway, take } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { askGuardrail, GuardrailDialog } from './guardrail-dialog.tsx'

const PAGE_SIZE = 100

/** @param only id of one, which somebody came for */
export const Guardrails = ({ only }: { readonly only: string | undefined }) => {
  const { workspace } = useSession()
  const query = useQuery({
    queryKey: ['guardrails', workspace],
    queryFn: () =>
      take(gateway.GET('/v2/guardrails', { params: { query: { workspace_id: workspace, page_size: PAGE_SIZE } } })),
  })
  return (
    <ResourceList
      noun="guardrail"
      query={query}
      only={only}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      texts={({ name, slug, id }) => [name, slug, id]}
      mayCreate={['guardrails.create']}
      mayUpdate={['guardrails.update']}
      mayDelete={['guardrails.delete']}
      look={({ id }) => askGuardrail(id, workspace)}
      dialog={(stored, onClose) => <GuardrailDialog stored={stored} onClose={onClose} />}
      remove={({ id }, headers) =>
        take(
          gateway.DELETE('/v2/guardrails/{guardrailId}', {
            params: { path: { guardrailId: id }, query: { workspace_id: workspace } },
            headers,
          }),
        )
      }
      removal="Configs that name it are refused from then on."
      columns={[
        { title: 'Slug', cell: ({ slug }) => <code className="font-mono">{slug}</code> },
        { title: 'Name', cell: ({ name }) => <Name text={name} /> },
        { title: 'About', cell: ({ target }) => (target === 'llm' ? 'calls to models' : 'calls to tools') },
        {
          title: 'Status',
          cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'plain'}>{status}</Badge>,
        },
        { title: 'Changed', cell: ({ last_updated_at: changed }) => time(changed) },
      ]}
    />
  )
}
