import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { time } from '../ui/format.ts'
import { Panel } from '../ui/page.tsx'
import { Failed } from '../ui/states.tsx'
import { useSave } from '../ui/use-save.ts'
import type { PromptVersion } from './model.ts'

export interface VersionListProps {
  /** The newest first. */
  readonly versions: readonly PromptVersion[]
  /** Somebody wants to go on from that one. */
  readonly onTake: (version: PromptVersion) => void
}

export const VersionList = ({ versions, onTake }: VersionListProps) => {
  const { workspace } = useSession()
  const mayPublish = useMay('prompts.publish')
  const publish = useSave(({ slug, prompt_version: version }: PromptVersion) =>
    take(
      gateway.PUT('/v2/prompts/{promptId}/makeDefault', {
        params: { path: { promptId: slug }, query: { workspace_id: workspace } },
        body: { version },
      }),
    ),
  )
  return (
    <Panel title="Versions">
      {publish.failure !== undefined && <Failed error={publish.failure} />}
      <ul className="grid gap-3">
        {versions.map((version) => {
          const number = version.prompt_version
          const isPublished = number === version.published_version
          return (
            <li key={number} className="flex flex-wrap items-center justify-between gap-2">
              <div className="flex min-w-0 flex-wrap items-center gap-2">
                <span className="font-medium">Version {number}</span>
                {isPublished && <Badge tone="good">published</Badge>}
                {version.prompt_version_labels.map(({ id, name }) => (
                  <Badge key={id}>{name}</Badge>
                ))}
                <span className="text-soft">{time(version.prompt_version_created_at)}</span>
                <span className="[overflow-wrap:anywhere]">{version.prompt_version_description}</span>
              </div>
              <div className="flex gap-2">
                <Button aria-label={`Take version ${number} into the editor`} onClick={() => onTake(version)}>
                  Take
                </Button>
                {mayPublish && !isPublished && (
                  <Button
                    aria-label={`Publish version ${number}`}
                    disabled={publish.isRunning}
                    onClick={() => publish.run(version)}
                  >
                    Publish
                  </Button>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
