import type { ReactNode } from 'react'

/** Names and values, in as many columns as there is room for. */
export const Facts = ({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }) => (
  <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
    {Object.entries(facts).map(([name, value]) => (
      <div key={name} className="min-w-0">
        <dt className="text-soft">{name}</dt>
        <dd className="[overflow-wrap:anywhere]">{value}</dd>
      </div>
    ))}
  </dl>
)
