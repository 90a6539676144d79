import type { ReactNode } from 'react'

export interface ScrollProps {
  /** What is in it, for screen readers. */
  readonly label: string
  readonly className: string
  readonly children: ReactNode
}

/** A place that scrolls by itself, so that the page does not. */
export const Scroll = ({ label, className, children }: ScrollProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll what can have the focus (WCAG 2.1.1)
  <section tabIndex={0} aria-label={label} className={className}>
    {children}
  </section>
)
