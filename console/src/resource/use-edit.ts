import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type IfMatch, ifMatch, type Tagged } from '../api/client.ts'
import { type Failure, toFailure } from '../api/failure.ts'
import { type Save, useSave } from '../ui/use-save.ts'
import type { Stored } from './stored.tsx'

/** Somebody else has changed what is stored since it was opened. */
export interface Conflict {
  /** What was opened. */
  readonly before: unknown
  /** What is there now, once somebody wants to see it. */
  readonly now: unknown
  readonly look: () => void
  readonly isLooking: boolean
  readonly failure: Failure | undefined
  /** Makes the change all the same: to what was looked at, or else to whatever is there. */
  readonly saveAnyway: () => void
}

export interface Edit<Data, Output> extends Omit<Save<undefined, Output>, 'run'> {
  readonly run: () => void
  readonly conflict: Conflict | undefined
  /** From now on that is what was opened: after a change, where the form stays. */
  readonly goOnFrom: (stored: Tagged<Data>) => void
}

const CHANGED = 412

/**
 * A change of something stored, which is only made where that is as it was when it was opened.
 * @param stored absent: it is new
 */
export const useEdit = <Data, Output>(
  stored: Stored<Data> | undefined,
  save: (headers: IfMatch) => Promise<Output>,
  onSaved: (output: Output) => void = () => undefined,
): Edit<Data, Output> => {
  const [opened, setOpened] = useState<Tagged<Data> | undefined>(stored)
  const {
    mutate: look,
    data: now,
    reset,
    isPending: isLooking,
    error,
  } = useMutation({ mutationFn: async () => stored?.look() })
  const { run, ...saving } = useSave((headers: IfMatch) => save(headers), onSaved)
  const start = (headers: IfMatch): void => {
    // Should it fail again, there is something newer to look at.
    reset()
    run(headers)
  }
  const isChanged = opened !== undefined && saving.failure?.status === CHANGED
  return {
    ...saving,
    run: () => start(ifMatch(opened?.tag)),
    goOnFrom: setOpened,
    conflict: isChanged
      ? {
          ...{ before: opened.data, now: now?.data, look, isLooking },
          failure: error === null ? undefined : toFailure(error),
          saveAnyway: () => start(ifMatch(now?.tag ?? '*')),
        }
      : undefined,
  }
}
