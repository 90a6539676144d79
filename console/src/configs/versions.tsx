import { useQuery } from '@tanstack/react-query'
import { gateway, take } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { time } from '../ui/format.ts'
import { Panel } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'

const PAGE_SIZE = 20

export interface VersionsProps {
  readonly slug: string
  /** Somebody wants to go on from that text. */
  readonly onTake: (text: string) => void
}

/** What the config was before. */
export const Versions = ({ slug, onTake }: VersionsProps) => {
  const { workspace } = useSession()
  const query = useQuery({
    queryKey: ['configs', workspace, slug, 'versions'],
    queryFn: () =>
      take(
        gateway.GET('/v2/configs/{slug}/versions', {
          params: { path: { slug }, query: { workspace_id: workspace, page_size: PAGE_SIZE } },
        }),
      ),
  })
  return (
    <Panel title="Versions">
      <Answered query={query}>
        {({ data }) => (
          <ul className="grid gap-2">
            {data.map(({ version_id: id, version_created_at: made, config }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-2">
                <span>{time(made)}</span>
                <Button onClick={() => onTake(pretty(config))}>Take into the editor</Button>
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </Panel>
  )
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
