import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { logQuery } from '../records/log.ts'
import { Button } from '../ui/button.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { MakeKey } from './make-key.tsx'
import { Offers } from './offers.tsx'
import { setOwnKey, useOwnKey } from './own-key.ts'
import { Playground } from './playground.tsx'
import { beginningOf, NEW_BEGINNING } from './replay.ts'

/** Talks to models as programs would, to several at once. */
export const PlaygroundPage = () => {
  const { record } = useSearch({ from: '/playground' })
  const { data, error, refetch } = useQuery({ ...logQuery(record ?? ''), enabled: record !== undefined })
  return (
    <Page title="Playground" about="One question, to one model or to several beside each other.">
      <OwnKey />
      <Offers />
      {record !== undefined && error !== null && <Failed error={error} onRetry={refetch} />}
      {record !== undefined && data === undefined ? (
        error === null && <Loading what="Reading the record" />
      ) : (
        <Playground
          key={record ?? 'new'}
          beginning={data === undefined || record === undefined ? NEW_BEGINNING : beginningOf(data)}
        />
      )}
    </Page>
  )
}

const OwnKey = () => {
  const key = useOwnKey()
  if (key === undefined) {
    return (
      <Panel title="A key for calls">
        <MakeKey />
      </Panel>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-2 text-soft">
      <span>Calls are made with the key of this tab.</span>
      <Button look="quiet" onClick={() => setOwnKey(undefined)}>
        Use another
      </Button>
    </div>
  )
}
