import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { gateway, take, takeTagged } from '../api/client.ts'
import { Failure } from '../api/failure.ts'
import { useSession } from '../api/session.tsx'
import { Held } from '../resource/stored.tsx'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'
import { PromptForm } from './prompt-form.tsx'

const askPrompt = async (id: string, workspace: string) => {
  // The tag first: what comes meanwhile is then newer than it, and found out.
  const { tag } = await takeTagged(
    gateway.GET('/v2/prompts/{promptId}', { params: { path: { promptId: id }, query: { workspace_id: workspace } } }),
  )
  const { data: versions } = await take(
    gateway.GET('/v2/prompts/{promptId}/versions', {
      params: { path: { promptId: id }, query: { workspace_id: workspace, page_size: 50 } },
    }),
  )
  return { versions, tag }
}

/** The newest version, by the tag of the prompt. */
const askNewest = async (id: string, workspace: string) => {
  const { versions, tag } = await askPrompt(id, workspace)
  const [data] = versions
  if (data === undefined) throw new Failure('The prompt has no version.', 404)
  return { data, tag }
}

/** One prompt, or one that is to be. */
export const PromptPage = () => {
  const { id } = useParams({ from: '/prompts/$id' })
  const { workspace } = useSession()
  const isNew = id === 'new'
  const query = useQuery({
    queryKey: ['prompts', workspace, id, 'versions'],
    queryFn: () => askPrompt(id, workspace),
    enabled: !isNew,
    // Who comes back starts from what is there then.
    gcTime: 0,
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
        <PromptForm key="new" stored={undefined} versions={[]} />
      ) : (
        <Answered query={query}>
          {({ versions: [newest, ...others], tag }) =>
            newest !== undefined && (
              <Held key={id} stored={{ data: newest, tag, look: () => askNewest(id, workspace) }}>
                {(stored) => <PromptForm stored={stored} versions={[newest, ...others]} />}
              </Held>
            )
          }
        </Answered>
      )}
    </Page>
  )
}
