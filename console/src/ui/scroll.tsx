import type { ReactNode, Ref } from 'react'

export interface ScrollProps {
  /** What is in it, for screen readers. */
  readonly label: string
  readonly className: string
  readonly ref?: Ref<HTMLElement>
  readonly onScroll?: () => void
  readonly children: ReactNode
}

/** A place that scrolls by itself, so that the page does not. */
export const Scroll = ({ label, className, ref, onScroll, children }: ScrollProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll what can have the focus (WCAG 2.1.1)
  <section tabIndex={0} aria-label={label} className={className} ref={ref} onScroll={onScroll}>
    {children}
  </section>
)
