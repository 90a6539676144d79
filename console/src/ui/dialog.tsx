import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export interface DialogProps {
  readonly title: string
  readonly about?: ReactNode
  readonly onClose: () => void
  /** It cannot be closed before something is done. */
  readonly isFirm?: boolean
  /** It holds a table. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A window over the page, which keeps the focus until it is closed. Shown where it is rendered. */
export const Dialog = ({ title, about, onClose, isFirm = false, isWide = false, children }: DialogProps) => (
  <Radix.Root open onOpenChange={(isOpen) => isOpen || isFirm || onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
      <Radix.Content
        {...(about === undefined ? { 'aria-describedby': undefined } : {})}
        // A click beside it would throw away what was typed.
        onInteractOutside={(event) => event.preventDefault()}
        className={`fixed inset-x-0 top-0 z-50 mx-auto grid max-h-dvh ${isWide ? 'max-w-4xl' : 'max-w-xl'} grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto rounded-b-lg border border-line bg-panel p-5 shadow-lg sm:top-[8vh] sm:max-h-[84vh] sm:rounded-lg`}
      >
        <header className="flex items-start justify-between gap-3">
          <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
          {!isFirm && (
            <Radix.Close asChild>
              <Button look="quiet" aria-label="Close">
                <span aria-hidden>✕</span>
              </Button>
            </Radix.Close>
          )}
        </header>
        {about !== undefined && <Radix.Description className="text-soft">{about}</Radix.Description>}
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)
