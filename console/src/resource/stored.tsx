import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { Tagged } from '../api/client.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Answered } from '../ui/states.tsx'

/** Something stored, as it was when it was opened, and how to look at what is there now. */
export interface Stored<Data> extends Tagged<Data> {
  readonly look: () => Promise<Tagged<Data>>
}

interface OpenStoredProps<Data> {
  readonly look: () => Promise<Tagged<Data>>
  readonly onClose: () => void
  readonly children: (stored: Stored<Data>) => ReactNode
}

/** Asks for what is to be changed before it is shown. What somebody changes does not change under their hands. */
export const OpenStored = <Data,>({ look, onClose, children }: OpenStoredProps<Data>) => {
  const query = useQuery({ queryKey: ['opened', useId()], queryFn: look, gcTime: 0 })
  if (query.data !== undefined) return <Held stored={{ ...query.data, look }}>{children}</Held>
  return (
    <Dialog title="One moment" onClose={onClose}>
      <Answered query={query}>{() => null}</Answered>
    </Dialog>
  )
}

interface HeldProps<Data> {
  readonly stored: Stored<Data>
  readonly children: (stored: Stored<Data>) => ReactNode
}

/** Keeps what it was given first. */
export const Held = <Data,>({ stored, children }: HeldProps<Data>) => {
  const [first] = useState(stored)
  return children(first)
}
