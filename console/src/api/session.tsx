import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { bringAlong, gateway, take } from './client.ts'
import { Failure } from './failure.ts'
import type { paths } from './schema.d.ts'

type Answer = paths['/v2/session']['get']['responses'][200]['content']['application/json']

/** Who is signed in, and where they look. */
export interface Session extends Answer {
  /** Slug of the workspace that pages show. */
  readonly workspace: string
}

const CHOICE = 'weir-workspace'

const chosen = (): string | undefined => localStorage.getItem(CHOICE) ?? undefined

const askSession = (): Promise<Answer> => take(gateway.GET('/v2/session'))

/** Asks by the workspace that is meant so far; without it where somebody is there no more. */
const askSessionAnyway = async (): Promise<Answer> => {
  try {
    return await askSession()
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.status !== 403) throw thrown
    bringAlong({ workspace: undefined })
    return askSession()
  }
}

/** Reads the session again. @returns null where nobody is signed in */
const readSession = async (): Promise<Session | null> => {
  try {
    let answer = await askSessionAnyway()
    const workspace = answer.workspaces.find(({ slug }) => slug === chosen()) ?? answer.workspaces[0]
    // What a member may do, their workspace says. Owners, admins and keys of the organisation name it in each call instead.
    const meant = answer.user?.role === 'member' ? workspace?.slug : undefined
    if (bringAlong({ workspace: meant }) && meant !== undefined) answer = await askSession()
    bringAlong({ csrfToken: answer.csrf_token ?? undefined })
    return { ...answer, workspace: workspace?.slug ?? '' }
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 401) return null
    throw thrown
  }
}

const SESSION_FRESH_MS = 60_000

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  // Where nobody is signed in, somebody may be once this page is looked at again.
  staleTime: ({ state }) => (state.data === null ? 0 : SESSION_FRESH_MS),
})

const Held = createContext<Session | undefined>(undefined)

/** Gives the session to all that is inside. */
export const SessionProvider = Held.Provider

/** The session of pages that are only shown where there was one. */
export const useSession = (): Session => {
  const session = useContext(Held)
  if (session === undefined) throw new Failure('Nobody is signed in.', 401)
  return session
}

/** Whether whoever looks may do one of these. */
export const useMay = (...scopes: readonly string[]): boolean => {
  const session = useContext(Held)
  return scopes.some((scope) => session?.scopes.includes(scope) === true)
}

/** Looks at another workspace from now on. */
export const useChooseWorkspace = (): ((slug: string) => Promise<void>) => {
  const queries = useQueryClient()
  return async (slug) => {
    localStorage.setItem(CHOICE, slug)
    await queries.resetQueries()
  }
}

/** @throws Failure */
export const signInByKey = async (apiKey: string): Promise<void> => {
  await take(gateway.POST('/v2/sign-in/key', { body: { api_key: apiKey } }))
}

/** @throws Failure */
export const signOut = async (): Promise<void> => {
  await take(gateway.POST('/v2/sign-in/out'))
}
