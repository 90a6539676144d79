import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Loading } from '../ui/states.tsx'
import { Budgets } from './budgets.tsx'
import { Limits } from './limits.tsx'
import { KIND_SCOPES, KINDS, type PolicyKind } from './search.ts'

const TAB =
  'min-h-9 rounded-md px-3 py-2 hover:bg-raised aria-[current=page]:bg-raised aria-[current=page]:font-semibold'

/** It knows all checks by name, which others need not load. */
const Guardrails = lazy(async () => ({ default: (await import('../guardrails/guardrails.tsx')).Guardrails }))

const LISTS = { limits: Limits, budgets: Budgets, guardrails: Guardrails } as const

/** How much calls may be, what they may cost, and what may be said in them. */
export const PoliciesPage = () => {
  const { kind = 'limits', id } = useSearch({ from: '/policies' })
  const { scopes } = useSession()
  const kinds = (Object.keys(KINDS) as PolicyKind[]).filter((each) => scopes.includes(KIND_SCOPES[each]))
  const List = LISTS[kind]
  return (
    <Page
      title="Policies"
      about="Rate limits hold back how fast calls come; budgets, how much they use; guardrails, what is said in them."
      actions={
        id !== undefined && (
          <Button asChild>
            <Link to="/policies" search={{ kind }}>
              Show all
            </Link>
          </Button>
        )
      }
    >
      <nav aria-label="Kinds of policies" className="flex flex-wrap gap-1">
        {kinds.map((each) => (
          <Link
            key={each}
            to="/policies"
            search={{ kind: each }}
            aria-current={each === kind ? 'page' : undefined}
            className={TAB}
          >
            {KINDS[each]}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Loading />}>
        <List only={id} />
      </Suspense>
    </Page>
  )
}
