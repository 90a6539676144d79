import { type InfiniteData, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { gateway, take } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { count } from '../ui/format.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { type Filters, questionOf, timeOf } from './filters.ts'
import { RecordTable } from './record-table.tsx'

/** The first page is there at once; those that are scrolled to come in larger pieces. */
const FIRST_PAGE = 100
const PAGE = 500

const askPage = (workspace: string, filters: Filters, cursor: string | undefined) =>
  take(
    gateway.GET('/v2/logs', {
      params: {
        query: {
          ...{ workspace_slug: workspace, ...questionOf(filters), ...timeOf(filters) },
          ...(filters.search === undefined ? {} : { search: filters.search }),
          ...(cursor === undefined ? { limit: FIRST_PAGE } : { cursor, limit: PAGE }),
        },
      },
    }),
  )

type Pages = InfiniteData<Awaited<ReturnType<typeof askPage>>, string | undefined>

/** Somebody who is far down the list has no use for all of it anew. */
const isShort = ({
  state,
}: {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined }
}) => (state.data?.pages.length ?? 0) <= 1

const useRecords = (filters: Filters) => {
  const { workspace } = useSession()
  const queries = useQueryClient()
  const queryKey: QueryKey = ['records', workspace, filters]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => askPage(workspace, filters, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  })
  const lookAgain = (): void => {
    queries.setQueryData<Pages>(queryKey, (known) =>
      known === undefined ? known : { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) },
    )
    void query.refetch()
  }
  return { ...query, lookAgain }
}

/** What is kept, the newest first: more of it comes as it is scrolled to. */
export const StoredRecords = ({ filters }: { readonly filters: Filters }) => {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching, lookAgain } = useRecords(filters)
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  if (data === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={refetch} />
  // What looks through bodies goes on only when somebody asks for it.
  const goesOn = hasNextPage && !isFetching && error === null && filters.search === undefined
  return (
    <>
      {rows.length === 0 ? (
        <Empty>
          <p>No call fits. Records come a moment after a call has ended.</p>
        </Empty>
      ) : (
        <RecordTable
          rows={rows}
          hasMore={hasNextPage}
          onNearEnd={goesOn ? () => void fetchNextPage() : undefined}
          place={JSON.stringify(filters)}
        />
      )}
      {error !== null && <Failed error={error} onRetry={hasNextPage ? fetchNextPage : refetch} />}
      {data.pages.at(-1)?.search?.complete === false && (
        <p className="text-soft">Not all bodies were looked through yet: “Older” goes on.</p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {hasNextPage && (
          <Button disabled={isFetching} onClick={() => void fetchNextPage()}>
            Older
          </Button>
        )}
        <Button disabled={isFetching} onClick={lookAgain}>
          Look again
        </Button>
        <p role="status" className="text-soft">
          {count(rows.length)} {rows.length === 1 ? 'record' : 'records'}
          {hasNextPage && (isFetching ? ', more are coming…' : ', more below')}
        </p>
      </div>
    </>
  )
}
