/** A name that somebody gave: it may be long, and is nothing but text. */
export const Name = ({ text }: { readonly text: string | null }) => (
  <span className="inline-block min-w-24 [overflow-wrap:anywhere]">{text || '—'}</span>
)
