import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useSession } from '../api/session.tsx'

const QUIET_MS = 500

/** A value once it has not changed for a while. */
const useSettled = <Value,>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), QUIET_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** What the gateway has against the config, while it is written: its own schema is asked, so that nothing here can be behind it. */
export const ConfigCheck = ({ text }: { readonly text: string }) => {
  const { workspace } = useSession()
  const settled = useSettled(text)
  const { data } = useQuery({
    queryKey: ['config-check', workspace, settled],
    queryFn: () =>
      take(
        gateway.POST('/v2/configs/evaluate', {
          body: { workspace_id: workspace, endpoint: 'chat', config: settled, body: { model: 'any', messages: [] } },
        }),
      ),
    placeholderData: (before) => before,
    retry: false,
  })
  if (data === undefined) return null
  // Of the call that is asked about nothing is true: only what is wrong with the config counts.
  const isWrong = data.error?.code === 'invalid_config'
  return (
    <p role="status" className={isWrong ? 'text-bad' : 'text-good'}>
      {isWrong ? data.error?.message : 'The gateway can read this config.'}
    </p>
  )
}
