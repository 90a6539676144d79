import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { whenSessionEnds } from '../api/client.ts'
import { type Session, SessionProvider, sessionQuery } from '../api/session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { SignIn, SignInPage } from './sign-in.tsx'

/** Shows what is inside to whoever is signed in. A session that ends leaves the page as it is, and asks who is there. */
export const App = ({ children }: { readonly children: ReactNode }) => {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(sessionQuery)
  const last = useRef<Session | undefined>(undefined)
  if (data) last.current = data
  useEffect(() => whenSessionEnds(() => queries.setQueryData(sessionQuery.queryKey, null)), [queries])

  const session = data ?? last.current
  if (session === undefined) {
    if (data === null) return <SignInPage />
    return (
      <main className="mx-auto max-w-md p-6">
        {error === null ? <Loading /> : <Failed error={error} onRetry={refetch} />}
      </main>
    )
  }
  return (
    <SessionProvider value={session}>
      {children}
      {data === null && (
        <Dialog
          title="Your session has ended"
          about="Sign in again: what is on the page stays as it is."
          isFirm
          onClose={() => undefined}
        >
          <SignIn isBeside />
        </Dialog>
      )}
    </SessionProvider>
  )
}
