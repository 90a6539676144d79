/** The query without the key of the call: it goes on in the provider's own way. */
export const withoutParameter = (query: string, name: string | undefined): string => {
  if (name === undefined || !query.includes(`${name}=`)) return query
  const kept = query
    .slice(1)
    .split('&')
    .filter((piece) => !new URLSearchParams(piece).has(name))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}
