import { Button, type ButtonProps } from './button.tsx'
import { Failed } from './states.tsx'
import { useSave } from './use-save.ts'

interface ActButtonProps extends Omit<ButtonProps, 'disabled' | 'onClick'> {
  readonly run: () => Promise<unknown>
  /** What it says meanwhile. Default: as before. */
  readonly meanwhile?: string
}

/** A button that does something at once, and says beside it what went wrong. */
export const ActButton = ({ run, meanwhile, children, ...button }: ActButtonProps) => {
  const save = useSave(run)
  return (
    <>
      <Button {...button} disabled={save.isRunning} onClick={() => save.run(undefined)}>
        {save.isRunning && meanwhile !== undefined ? meanwhile : children}
      </Button>
      {save.failure !== undefined && <Failed error={save.failure} />}
    </>
  )
}
