import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Failure, toFailure } from '../api/failure.ts'

export interface Save<Input, Output = unknown> {
  readonly run: (input: Input) => void
  readonly isRunning: boolean
  readonly failure: Failure | undefined
  /** What came of the last time. */
  readonly output: Output | undefined
  /** What is wrong with a field. */
  readonly errorOf: (param: string) => string | undefined
}

/** A change of what is stored. What was typed stays where it is until it is saved; pages then ask anew. */
export const useSave = <Input, Output>(
  save: (input: Input) => Promise<Output>,
  onSaved: (output: Output) => void = () => undefined,
): Save<Input, Output> => {
  const queries = useQueryClient()
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: save,
    async onSuccess(output) {
      onSaved(output)
      await queries.invalidateQueries()
    },
  })
  const failure = error === null ? undefined : toFailure(error)
  return {
    run: (input) => mutate(input),
    isRunning: isPending,
    failure,
    output: data,
    errorOf: (param) => (failure?.param === param ? failure.message : undefined),
  }
}
