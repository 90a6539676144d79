/** A name that somebody gave: it may be long, and is nothing but text. */
export const Name = ({ text }: { readonly text: string | null }) => (
  <span className="inline-block min-w-24 [overflow-wrap:anywhere]">{text || '—'}</span>
)

/** A name with what it is called by below it. */
export const NameAndSlug = ({ name, slug }: { readonly name: string; readonly slug: string }) => (
  <span className="grid min-w-24">
    <span className="[overflow-wrap:anywhere]">{name}</span>
    <code className="font-mono text-xs text-soft [overflow-wrap:anywhere]">{slug}</code>
  </span>
)
