import { Slot } from '@radix-ui/react-slot'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-line bg-panel hover:bg-raised',
  quiet: 'hover:bg-raised',
  danger: 'border border-bad text-bad hover:bg-raised',
} as const

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: keyof typeof LOOKS
  /** The child becomes the button: for links. */
  readonly asChild?: boolean
}

export const Button = ({ look = 'plain', asChild = false, className, ...props }: ButtonProps) => {
  const Element = asChild ? Slot : 'button'
  return (
    <Element
      {...(asChild ? {} : { type: 'button' })}
      className={classes(
        'inline-flex min-h-9 items-center justify-center gap-2 rounded-md px-3 py-1.5 font-medium whitespace-nowrap',
        'disabled:opacity-60',
        LOOKS[look],
        className,
      )}
      {...props}
    />
  )
}
