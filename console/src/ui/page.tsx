import { type ReactNode, useEffect, useRef } from 'react'

export interface PageProps {
  readonly title: string
  /** One sentence about what is here. */
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page below the navigation: its title is the browser's too, and gets the focus, so that screen readers say where one is. */
export const Page = ({ title, about, actions, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Weir`
    heading.current?.focus()
  }, [title])
  return (
    <div className="mx-auto grid max-w-6xl gap-5 p-4 sm:p-6">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid gap-1">
          <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none [overflow-wrap:anywhere]">
            {title}
          </h1>
          {about !== undefined && <p className="max-w-prose text-soft">{about}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export const Panel = ({
  title,
  actions,
  children,
}: Omit<PageProps, 'title' | 'about'> & { readonly title?: string }) => (
  <section className="min-w-0 rounded-lg border border-line bg-panel">
    {title !== undefined && (
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
        <h2 className="font-semibold">{title}</h2>
        {actions}
      </header>
    )}
    <div className="p-4">{children}</div>
  </section>
)
