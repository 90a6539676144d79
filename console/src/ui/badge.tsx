import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const TONES = { good: 'text-good', bad: 'text-bad', warn: 'text-warn', plain: 'text-soft' } as const

export type Tone = keyof typeof TONES

export const Badge = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span
    className={classes(
      'inline-block rounded-full border border-current px-2 py-0.5 text-xs whitespace-nowrap',
      TONES[tone],
    )}
  >
    {children}
  </span>
)
