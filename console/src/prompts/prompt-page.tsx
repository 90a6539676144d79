import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { gateway, take } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'
import { PromptForm } from './prompt-form.tsx'

/** One prompt, or one that is to be. */
export const PromptPage = () => {
  const { id } = useParams({ from: '/prompts/$id' })
  const { workspace } = useSession()
  const isNew = id === 'new'
  const query = useQuery({
    queryKey: ['prompts', workspace, id, 'versions'],
    queryFn: () =>
      take(
        gateway.GET('/v2/prompts/{promptId}/versions', {
          params: { path: { promptId: id }, query: { workspace_id: workspace, page_size: 50 } },
        }),
      ),
    enabled: !isNew,
  })
  return (
    <Page
      title={isNew ? 'New prompt' : `Prompt ${id}`}
      actions={
        <Button asChild>
          <Link to="/prompts">All prompts</Link>
        </Button>
      }
    >
      {isNew ? (
        <PromptForm key="new" versions={[]} />
      ) : (
        <Answered query={query}>{({ data }) => <PromptForm key={id} versions={data} />}</Answered>
      )}
    </Page>
  )
}
