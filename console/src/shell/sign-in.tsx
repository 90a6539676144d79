import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { signInByKey } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { useSave } from '../ui/use-save.ts'

/**
 * The ways in: an issuer of the operator, or a key of the organisation.
 * @param isBeside the issuer is asked in a tab of its own, as what is on this page would be lost
 */
export const SignIn = ({ isBeside = false }: { readonly isBeside?: boolean }) => {
  const queries = useQueryClient()
  const [apiKey, setApiKey] = useState('')
  const issuers = useQuery({
    queryKey: ['issuers'],
    queryFn: () => take(gateway.GET('/v2/sign-in/issuers')),
    retry: false,
  })
  const save = useSave(signInByKey, () => {
    setApiKey('')
    void queries.invalidateQueries()
  })
  return (
    <div className="grid gap-4">
      {issuers.data?.data.map(({ id, name, start_path: path }) => (
        <Button key={id} look="primary" asChild>
          <a
            href={`${path}&return_to=${encodeURIComponent(location.pathname + location.search)}`}
            {...(isBeside ? { target: '_blank', rel: 'noopener' } : {})}
          >
            Sign in with {name}
          </a>
        </Button>
      ))}
      <Form onSubmit={() => save.run(apiKey.trim())} save={save} submit="Sign in">
        <TextField
          label="Admin key"
          hint="A key of the organisation. The first start shows one, or writes it to .weir/first-keys.env."
          type="password"
          autoComplete="current-password"
          required
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
        />
      </Form>
    </div>
  )
}

export const SignInPage = () => (
  <main className="mx-auto grid max-w-md gap-6 p-6 pt-[12vh]">
    <title>Sign in · Weir</title>
    <h1 className="text-2xl font-semibold">Sign in to Weir</h1>
    <SignIn />
  </main>
)
