import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toFailure } from '../api/failure.ts'
import { Button } from './button.tsx'

export const Loading = ({ what = 'Loading' }: { readonly what?: string }) => (
  <p role="status" className="p-6 text-soft">
    {what}…
  </p>
)

/** What went wrong, and another try. */
export const Failed = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => unknown }) => {
  const { message, requestId } = toFailure(error)
  return (
    <div role="alert" className="grid justify-items-start gap-2 rounded-md border border-bad bg-panel p-4">
      <p className="text-bad">{message}</p>
      {requestId !== undefined && <p className="text-soft">Request {requestId}</p>}
      {onRetry !== undefined && <Button onClick={() => void onRetry()}>Try again</Button>}
    </div>
  )
}

export const Empty = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid justify-items-center gap-3 rounded-md border border-dashed border-line p-8 text-center text-soft">
    {children}
  </div>
)

/** What a question is answered with, or why it is not. A page that was answered once keeps that while it asks again. */
export const Answered = <Data,>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}) => {
  const { data, error, refetch } = query
  return (
    <>
      {error !== null && <Failed error={error} onRetry={refetch} />}
      {data === undefined ? error === null && <Loading /> : children(data)}
    </>
  )
}
